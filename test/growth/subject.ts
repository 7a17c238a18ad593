/** What a family made by this folder can do with its objects. */
export const operations = ['create', 'get', 'list', 'update', 'execute', 'delete'] as const;

export type Operation = (typeof operations)[number];

/** A family that is to be written: objects with a name and a note, kept in a table of their own. */
export interface Subject {
  readonly surface: 'buyer' | 'storefront';
  /** What one of its objects is called: one word, in lowercase. */
  readonly noun: string;
  /** Below the surface's prefix. */
  readonly path: string;
  readonly operations: readonly Operation[];
  /** The number of its migration. */
  readonly migration: number;
}

/** A subject with the names that follow from its noun. */
export interface Names extends Subject {
  readonly plural: string;
  /** `Almanac`, `Almanacs`, `ALMANAC`, for types, functions and kinds. */
  readonly one: string;
  readonly many: string;
  readonly type: string;
  readonly idField: string;
  can(...any: readonly Operation[]): boolean;
}

/** Files by their paths in the project. */
export type Files = Readonly<Record<string, string>>;

export function namesOf(subject: Subject): Names {
  const { noun } = subject;
  return {
    ...subject,
    plural: `${noun}s`,
    one: capital(noun),
    many: `${capital(noun)}s`,
    type: noun.toUpperCase(),
    idField: `${noun}Id`,
    can: (...any) => any.some((operation) => subject.operations.includes(operation)),
  };
}

export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** Parts of a file, those left out that are not wanted. */
export function parts(...texts: readonly (string | false)[]): string {
  return `${texts.filter((text) => text !== false).join('\n')}\n`;
}
