import ts from 'typescript';

/**
 * Where a test reads the code of a refusal and passes over its words: `.error.code`, an `error` that is expected with
 * a code and without a message, a helper that gives no more than the code. Each as its line and text.
 */
export function bareReads(text: string): string[] {
  const source = ts.createSourceFile('read.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isBareRead(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${line + 1}: ${node.getText(source).replace(/\s+/g, ' ')}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isBareRead(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'code' && isError(node.expression);
  if (ts.isPropertyAssignment(node)) return nameOf(node) === 'error' && isWordless(node.initializer);
  return ts.isCallExpression(node) && isExpectedOf(node);
}

/** `expect(….error).toMatchObject({ code: … })`. */
function isExpectedOf({ expression, arguments: [wanted] }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || !/^to[A-Z]/.test(expression.name.text)) return false;
  const expected = expression.expression;
  const [given] = ts.isCallExpression(expected) ? expected.arguments : [];
  return given !== undefined && isError(given) && wanted !== undefined && isWordless(wanted);
}

function isError(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === 'error';
  return ts.isPropertyAccessExpression(node) && node.name.text === 'error';
}

/** An object that has the code of a refusal, and no words. The codes of JSON-RPC are numbers. */
function isWordless(node: ts.Expression): boolean {
  if (!ts.isObjectLiteralExpression(node)) return false;
  const names = node.properties.map(nameOf);
  const code = node.properties.find((one) => nameOf(one) === 'code');
  if (code === undefined || names.includes('message')) return false;
  return !(ts.isPropertyAssignment(code) && ts.isPrefixUnaryExpression(code.initializer));
}

function nameOf({ name }: ts.ObjectLiteralElementLike): string {
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : '';
}
