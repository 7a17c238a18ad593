import type { Exchange } from './call-context.ts';
import { invalid } from './errors/refusals.ts';
import type { Digest } from './ports.ts';
import { isFields } from './schemas/checks.ts';

/** The argument of a tool over MCP that is the header `Idempotency-Key` over REST. */
export const KEY_FIELD = 'idempotencyKey';
export const KEY_HEADER = 'Idempotency-Key';
export const KEY_MAX = 255;

/** Visible ASCII, as a header can carry it: a repeated header has a space in it, and is none. */
const BARE = /^(?!")[\x21-\x7e]{1,255}$/;
/** A string of RFC 9651, section 3.3.3, as the draft of the header wants it. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

const WORDS = `Give 1 to ${KEY_MAX} visible ASCII characters, such as a UUID; another key for every change.`;

/** A call under a key of its caller. */
export interface Keyed {
  readonly key: string;
  /** How the caller gave it. */
  readonly field: string;
  /** What it belongs to, beside the account: method and path over REST, the tool over MCP. */
  readonly place: string;
  readonly raw: unknown;
}

/** The key of a call and what is left of its input; undefined where none was given. */
export function keyedCall({ keyHeader, server }: Exchange, tool: string, raw: unknown): Keyed | undefined {
  if (keyHeader !== undefined) {
    return { key: headerKey(keyHeader.given), field: KEY_HEADER, place: keyHeader.place(), raw };
  }
  if (server === undefined || !isFields(raw) || raw[KEY_FIELD] === undefined) return undefined;
  const { [KEY_FIELD]: given, ...others } = raw;
  if (typeof given !== 'string' || !BARE.test(given)) throw invalid(KEY_FIELD, WORDS);
  return { key: given, field: KEY_FIELD, place: tool, raw: others };
}

/** The same key, quoted or not. */
function headerKey(given: string): string {
  const inner = QUOTED.exec(given)?.[1]?.replace(/\\(["\\])/g, '$1');
  const key = inner ?? given;
  if (key.length > KEY_MAX || (inner === undefined && !BARE.test(given))) throw invalid(KEY_HEADER, WORDS);
  return key;
}

/** A fingerprint of an input, whatever the order of its fields. */
export function inputHash(digest: Digest, input: unknown): string {
  return digest(canonical(input));
}

/** Its JSON, the fields of each object by their names. Without a replacer, which takes three times as long. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isFields(value) || 'toJSON' in value) return JSON.stringify(value) ?? 'null';
  const fields: string[] = [];
  for (const name of Object.keys(value).sort()) {
    if (value[name] !== undefined) fields.push(`${JSON.stringify(name)}:${canonical(value[name])}`);
  }
  return `{${fields.join(',')}}`;
}
