/** What stands in place of a secret wherever something is logged or shown. */
export const HIDDEN = '[secret]';

/** Of an error that came from outside, a message may hold a whole answer, and a field too. */
const MESSAGE_CHARACTERS = 2_000;
const FRAMES_CHARACTERS = 3_000;
const FIELD_CHARACTERS = 500;
const FIELDS = 20;
const CAUSES = 3;

/** An error as the log has it. */
export interface ShownError {
  readonly type: string;
  /** With those of its causes. */
  readonly message: string;
  readonly stack: string;
  readonly [field: string]: unknown;
}

/**
 * What the log says of an error: its kind, its words, where it came about, and of what else it carries the simple
 * values that hide nothing. Answers of others that hang on it, as causes or bodies, are theirs and stay out.
 */
export function shownError(error: Error, isHidden: (name: string) => boolean): ShownError {
  const chain = causesOf(error);
  const others = error instanceof AggregateError ? error.errors.filter(isError).slice(0, CAUSES) : [];
  return {
    ...fieldsOf(error, isHidden),
    type: error.constructor.name,
    message: cut(chain.map(({ message }) => message).join(': '), MESSAGE_CHARACTERS),
    stack: chain.map(stackOf).join('\ncaused by: '),
    ...(others.length === 0
      ? {}
      : { aggregateErrors: others.map((one) => cut(one.message, FIELD_CHARACTERS)) }),
  };
}

function isError(value: unknown): value is Error {
  return value instanceof Error;
}

/** The error and those behind it, each once. */
function causesOf(error: Error): readonly Error[] {
  const chain = new Set<Error>();
  for (
    let next: unknown = error;
    isError(next) && chain.size <= CAUSES && !chain.has(next);
    next = next.cause
  ) {
    chain.add(next);
  }
  return [...chain];
}

/** The message stands in it once more, in front of the frames. */
function stackOf({ stack = '' }: Error): string {
  const at = stack.indexOf('\n    at ');
  const end = at === -1 ? stack.length : at;
  return cut(stack.slice(0, end), MESSAGE_CHARACTERS) + cut(stack.slice(end), FRAMES_CHARACTERS);
}

function fieldsOf(error: Error, isHidden: (name: string) => boolean): Record<string, unknown> {
  const simple = Object.entries(error).filter(([, value]) => isSimple(value));
  return Object.fromEntries(
    simple
      .slice(0, FIELDS)
      .map(([name, value]) => [
        cut(name, FIELD_CHARACTERS),
        isHidden(name) ? HIDDEN : typeof value === 'string' ? cut(value, FIELD_CHARACTERS) : value,
      ]),
  );
}

function isSimple(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
