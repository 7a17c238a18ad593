import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { programOf } from '../support/store-program.ts';

/** Reads every file of the product with the compiler. */
const PATIENCE = { timeout: 180_000 };

const FOLDERS = ['adapters', 'store', 'tools'];

/** Wrong in each way that there is, beside what is right: what the rule says of them shows that it looks. */
const PLANTED = {
  'tools/core/planted-wrong.ts': `
    declare function work(): Promise<number>;
    export function wrong(one: number | undefined, emitter: EventTarget) {
      void work();
      void work().then(String, String).finally(() => {});
      void (one ?? work());
      setTimeout(async () => String(await work()), 1);
      emitter.addEventListener('abort', async function ended() { await work(); });
    }`,
  'tools/core/planted-right.ts': `
    declare function work(): Promise<number>;
    export async function right(seen: Set<number>) {
      void work().catch(() => {});
      setTimeout(() => void seen.add(1), 1);
      setTimeout(() => void work().finally(() => {}).catch(() => {}), 1);
      await work();
    }`,
};

/** Who calls back, now or later, and looks at nothing that comes of it. */
const DEAF = /^(?:setTimeout|setInterval|setImmediate|nextTick|after|on|once|addEventListener|forEach)$/;

/** What of a file nobody hears the failure of, as its place and first line. */
function unheardIn(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isFound =
      (ts.isVoidExpression(node) && isUnheard(node.expression, checker)) ||
      (ts.isCallExpression(node) && isDeaf(node));
    if (isFound) found.push(placeOf(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function placeOf(node: ts.Node, file: ts.SourceFile): string {
  const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  return `${file.fileName.slice(packageRoot.length + 1)}:${line} ${node.getText(file).split('\n')[0]}`;
}

/** A promise that does not end with a `catch`. */
function isUnheard(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  const isCaught = ts.isCallExpression(expression) && nameOf(expression) === 'catch';
  return !isCaught && isPromise(checker.getTypeAtLocation(expression));
}

function isPromise(type: ts.Type): boolean {
  return type.isUnion() ? type.types.some(isPromise) : type.getProperty('then') !== undefined;
}

/** An async function for somebody who looks at nothing that it gives. */
function isDeaf(call: ts.CallExpression): boolean {
  const isAsync = (one: ts.Expression) =>
    (ts.isArrowFunction(one) || ts.isFunctionExpression(one)) &&
    one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  return DEAF.test(nameOf(call)) && call.arguments.some(isAsync);
}

/** The last name of what is called. */
function nameOf({ expression }: ts.CallExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : '';
}

test('no promise of the product fails without anybody hearing of it', PATIENCE, () => {
  const program = programOf(FOLDERS, PLANTED);
  const checker = program.getTypeChecker();
  const own = FOLDERS.map((folder) => join(packageRoot, folder));
  const unheard = program
    .getSourceFiles()
    .filter(({ fileName }) => own.some((folder) => fileName.startsWith(`${folder}/`)))
    .flatMap((file) => unheardIn(file, checker));

  const isPlanted = (place: string) => place.startsWith('tools/core/planted-');
  expect(unheard.filter(isPlanted).map((place) => /:(\d+)/.exec(place)?.[1])).toEqual([
    '4',
    '5',
    '6',
    '7',
    '8',
  ]);
  expect(unheard.filter((place) => !isPlanted(place))).toEqual([]);
});
