import { isFields } from './checks.ts';

/**
 * What the contract documents for an operation and this service does not do yet: `utmConfig` for a field,
 * `products[].pageId` for one in the entries of a list, `mode=performance` for a value of a field that is built,
 * `debug=true` for a flag that may say false. A call that gives one is answered NOT_IMPLEMENTED; it is never
 * taken and passed over.
 */
export type NotBuilt = readonly string[];

/** Whether a field, or this value of it, is documented and not built. */
export function isNotBuilt(notBuilt: NotBuilt, path: readonly PropertyKey[], value: unknown): boolean {
  const name = nameOf(path);
  return notBuilt.includes(name) || notBuilt.includes(`${name}=${String(value)}`);
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, '');
}

/** The input without what asks for nothing: null for what is not built, and false for a flag that is not. */
export function withoutUnasked(input: unknown, notBuilt: NotBuilt): unknown {
  if (notBuilt.length === 0 || !isFields(input)) return input;
  const unasked = notBuilt.filter((name) => asksNothing(input, name)).map((name) => name.replace(FLAG, ''));
  if (unasked.length === 0) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !unasked.includes(name)));
}

const FLAG = /=true$/;

function asksNothing(input: Readonly<Record<string, unknown>>, name: string): boolean {
  const field = name.replace(FLAG, '');
  if (!Object.hasOwn(input, field)) return false;
  return input[field] === null || (field !== name && String(input[field]) === 'false');
}
