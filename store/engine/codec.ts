/**
 * How values travel between columns and records: JSON as text, booleans as 0 and 1, secrets encrypted.
 *
 * The one place where a type is asserted: what these functions read, this store wrote.
 */

export type JsonText<T> = string & { readonly json?: T };
export type Flag = 0 | 1;

declare const SEALED: unique symbol;

/**
 * A text that was encrypted for its row. It passes for no other text, so a column that takes one says so, and each
 * column that says so is encrypted anew when the key changes (`SealedColumns`).
 */
export interface Sealed {
  readonly [SEALED]: true;
}

export function asSealed(text: string): Sealed {
  return text as unknown as Sealed;
}

/** For who encrypts, and for what is kept elsewhere than in a column. */
export function sealedText(sealed: Sealed): string {
  return sealed as unknown as string;
}

export function toJson<T>(value: T): JsonText<T> {
  return JSON.stringify(value);
}

export function fromJson<T>(text: JsonText<T>): T {
  return JSON.parse(text) as T;
}

export function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}

export function fromFlag(value: Flag): boolean {
  return value === 1;
}

/** Stand-ins for arguments, in the type of the arguments they stand for. */
export function asArguments<A>(places: object): A {
  return places as A;
}

/** Makes a row, in the type the query was compiled for, of the list of its values. */
export type RowMaker = (values: unknown) => unknown;

/**
 * A maker of rows with these columns, compiled once for each statement: naming the values one by one at run
 * time costs about as much as reading them.
 */
export function rowMaker(columns: readonly string[]): RowMaker {
  const fields = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return { ${fields.join(', ')} };`) as RowMaker;
}

export function rowsOf<R>(lists: readonly unknown[], make: RowMaker): R[] {
  return lists.map(make) as R[];
}
