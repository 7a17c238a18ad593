import { HIDDEN, shownError } from './shown-error.ts';

const SECRET_FIELDS = new Set([
  'secret',
  'auth',
  'authorization',
  'token',
  'password',
  'key',
  'privateKey',
  'credential',
  'credentials',
]);
/** What opens something, and is shown to its owner again: no log has it, nor an answer that is kept. */
const CODES = new Set(['proposalCode']);
const SECRET_ENDING = /(?:authorization|cookie|secret|token|password|api[-_]?key)$/i;
const DEEPEST = 8;

type Fields = Record<string, unknown>;

/** The same fields, the values of secret ones replaced wherever they stand: for the log and the audit log. */
export function withoutSecrets(fields: Readonly<Fields>): Fields {
  return hide(fields, DEEPEST);
}

/** Whether an answer holds a secret or a code: by itself, or as the value of what is named after one. */
export function showsSecret(output: unknown, named = false): boolean {
  if (Array.isArray(output)) return output.some((item) => showsSecret(item, named));
  if (typeof output !== 'object' || output === null) return false;
  return Object.entries(output).some(([name, value]) => {
    const secret = isHidden(name);
    return typeof value === 'string' ? secret || (named && name === 'value') : showsSecret(value, secret);
  });
}

function hide(fields: Readonly<Fields>, depthLeft: number): Fields {
  const shown: Fields = {};
  for (const name of Object.keys(fields)) {
    shown[name] = isHidden(name) ? HIDDEN : plain(fields[name], depthLeft);
  }
  return shown;
}

function isHidden(name: string): boolean {
  return isSecret(name) || CODES.has(name);
}

/** Whether what stands under this name is nothing to be shown. */
export function isSecret(name: string): boolean {
  return SECRET_FIELDS.has(name) || SECRET_ENDING.test(name);
}

function plain(value: unknown, depthLeft: number): unknown {
  if (value instanceof Error) return shownError(value, isHidden);
  if (typeof value !== 'object' || value === null) return value;
  if (depthLeft === 0) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => plain(item, depthLeft - 1));
  return hide({ ...value }, depthLeft - 1);
}
