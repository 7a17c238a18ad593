import ts from 'typescript';
import { sourceOf } from './source-files.ts';

const COLLECTIONS = new Set(['Map', 'Set', 'LRUCache']);
/** Calls that have run their callback before they return, or do so once: what it uses lives no longer. */
const RUN_AT_ONCE =
  /\.(?:map|flatMap|filter|forEach|some|every|find|findIndex|findLast|sort|reduce|then|catch|finally|replace|from)$/;

/**
 * The collections of a file that outlive the call that made them: those of modules and objects, those that functions
 * close over which are handed out, and those that are made for an owner when it first comes (`?? new Map()`, or
 * `ofProcess(() => new Map())`). Each as the name it is held by.
 */
export function heldCollections(path: string): string[] {
  const text = sourceOf(path);
  // Most files have none, and reading one whole takes its time.
  if (![...COLLECTIONS].some((name) => text.includes(`new ${name}`))) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && isCollection(node)) {
      const name = holderOf(node);
      if (name !== undefined) found.add(name);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found].sort();
}

/** One that begins empty, and so is made to be filled. */
function isCollection({ expression, arguments: given = ts.factory.createNodeArray() }: ts.NewExpression) {
  if (!ts.isIdentifier(expression) || !COLLECTIONS.has(expression.text)) return false;
  return expression.text === 'LRUCache' || given.length === 0;
}

function holderOf(made: ts.NewExpression): string | undefined {
  const { parent } = made;
  if (ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  if (ts.isArrowFunction(parent)) return givenTo(parent);
  const isForOwner = ts.isBinaryExpression(parent) && parent.operatorToken.getText() === '??';
  const declared = isForOwner ? parent.parent : parent;
  if (!ts.isVariableDeclaration(declared)) return undefined;
  const name = declared.name.getText();
  const maker = around(declared);
  if (isForOwner || maker === undefined) return name;
  return isHandedOut(maker, name) ? name : undefined;
}

/** The name of what a call made of a function that makes a collection. */
function givenTo({ parent: call }: ts.ArrowFunction): string | undefined {
  const isNamed = ts.isCallExpression(call) && ts.isVariableDeclaration(call.parent);
  return isNamed ? call.parent.name.getText() : undefined;
}

/** The function that a node stands in; undefined for none. */
function around(node: ts.Node): ts.SignatureDeclaration | undefined {
  return ts.findAncestor(node.parent, ts.isFunctionLike);
}

/** Whether a function in this one uses the name and may be called after it has returned. */
function isHandedOut(maker: ts.Node, name: string): boolean {
  let handedOut = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name && outlives(node, maker)) handedOut = true;
    ts.forEachChild(node, visit);
  };
  visit(maker);
  return handedOut;
}

function outlives(use: ts.Node, maker: ts.Node): boolean {
  for (let inner = around(use); inner !== undefined && inner !== maker; inner = around(inner)) {
    const { parent } = inner;
    const isCallback = ts.isCallExpression(parent) && RUN_AT_ONCE.test(parent.expression.getText());
    if (!isCallback) return true;
  }
  return false;
}
