import ts from 'typescript';
import { packageRoot } from '../../../adapters/settings/package-root.ts';

/** Who calls back, now or later, and looks at nothing that comes of it. */
const DEAF = /^(?:setTimeout|setInterval|setImmediate|nextTick|after|on|once|addEventListener|forEach)$/;

/** What of a file nobody hears the failure of, as its place and first line. */
export function unheardIn(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
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
