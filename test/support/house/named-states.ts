import ts from 'typescript';
import type { AnyMachine } from '../../../tools/core/machines.ts';

/** A state of a machine that code names where a value of it is wanted. */
export interface NamedState {
  /** What it is a state of. */
  readonly of: string;
  readonly state: string;
  /** The first line of the statement that names it. */
  readonly said: string;
}

/**
 * Where a file says by itself in which state something is: as the value of a field, or of a function. What is
 * compared with a state, or asked of a machine, names where something comes from and not where it goes.
 */
export function namedStates(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  machines: readonly AnyMachine[],
): NamedState[] {
  const found: NamedState[] = [];
  const known = new Set(machines.flatMap(({ states }) => states));
  const visit = (node: ts.Node): void => {
    // To say what is wanted of a text, the compiler reads what stands around it: of those that name a state alone.
    if (ts.isStringLiteral(node) && known.has(node.text) && isGiven(node)) {
      const { text: state } = node;
      const wanted = statesIn(checker.getContextualType(node));
      const machine = machines.find(({ states }) => isSame(states, wanted));
      if (machine !== undefined) found.push({ of: machine.of, state, said: lineOf(node, file) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The value of a field `status` or `state`, or what a function gives; of a choice between several, any of them. */
function isGiven(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent) && parent.condition !== node) return isGiven(parent);
  if (ts.isBinaryExpression(parent) && isOtherwise(parent)) return isGiven(parent);
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent)) return isGiven(parent);
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node && isStanding(parent.name);
  return ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node);
}

function isOtherwise({ operatorToken }: ts.BinaryExpression): boolean {
  return operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
}

function isStanding(name: ts.PropertyName): boolean {
  return ts.isIdentifier(name) && (name.text === 'status' || name.text === 'state');
}

/** The texts that a type allows, whatever else it does. */
function statesIn(type: ts.Type | undefined): ReadonlySet<string> {
  const parts = type === undefined ? [] : type.isUnion() ? type.types : [type];
  return new Set(parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : [])));
}

function isSame(states: readonly string[], wanted: ReadonlySet<string>): boolean {
  return states.length === wanted.size && states.every((state) => wanted.has(state));
}

function lineOf(node: ts.Node, file: ts.SourceFile): string {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return file.text.split('\n')[line]?.trim() ?? '';
}
