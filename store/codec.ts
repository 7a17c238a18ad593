/**
 * How values travel between columns and records: JSON as text, booleans as 0 and 1.
 *
 * The one place where a type is asserted: what these functions read, this store wrote.
 */

export type JsonText<T> = string & { readonly json?: T };
export type Flag = 0 | 1;

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

/** Rows that a driver hands over as lists of values, in the type the query was compiled for. */
export function rowsOf<R>(lists: readonly unknown[], columns: readonly string[]): R[] {
  return lists.map((values) => {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < columns.length; index += 1) {
      row[columns[index] as string] = (values as unknown[])[index];
    }
    return row as R;
  });
}
