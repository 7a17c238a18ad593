import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { badBody, badRequest } from '../../tools/core/errors/refusals.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { hasMoreValues } from './body-values.ts';
import { abandon, hasBody } from './unread-body.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** Fields of objects and entries of lists, at all depths together. */
  readonly maxValues: number;
}

/** A request whose body a framework around us has read already. */
type MaybeParsed = IncomingMessage & { body?: unknown };

type Fields = Readonly<Record<string, unknown>>;

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;
const CHARSET = /charset\s*=\s*"?([^\s;"]+)/i;
const CUT_SHORT = 'The body ended before it was whole.';

/**
 * The JSON body of a request, or undefined when there is none. Refuses what could not be answered cleanly
 * later: another type or charset, compression, too many bytes, broken UTF-8 or JSON, unsafe values. A promise only
 * where the body has to be waited for.
 */
export function readJson(req: MaybeParsed, limits: BodyLimits): unknown {
  if (req.body !== undefined) {
    if (hasMoreValues(Buffer.from(JSON.stringify(req.body)), limits.maxValues))
      throw tooMany(limits.maxValues);
    refuseUnsafe(req.body, limits.maxDepth);
    return req.body;
  }
  if (!hasBody(req)) return undefined;
  const refused = refuseHeaders(req, limits);
  if (refused !== undefined) throw refused;
  const bytes = readBytes(req, limits.maxBytes);
  return bytes instanceof Promise ? bytes.then((late) => parse(late, limits)) : parse(bytes, limits);
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The fields of a form that a browser sent; those of another type, too large or broken are refused. */
export async function readForm(req: IncomingMessage, maxBytes: number): Promise<URLSearchParams> {
  const type = req.headers['content-type'] ?? '';
  if (!FORM_TYPE.test(type) || req.headers['content-encoding'] !== undefined) {
    throw badRequest('The body must come with Content-Type: application/x-www-form-urlencoded.', {
      suggestion: 'Send it as a form, name=value with & between, not as JSON, and not compressed.',
    });
  }
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const fields = new URLSearchParams((await readBytes(req, maxBytes)).toString('utf8'));
  refuseUnsafeFields(fields);
  return fields;
}

function refuseHeaders(req: IncomingMessage, limits: BodyLimits): AppError | undefined {
  const type = req.headers['content-type'];
  // What nearly everybody says needs no closer look.
  const refused = type === 'application/json' ? undefined : refuseType(type);
  if (refused !== undefined) return refused;
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return badBody('The body must not be compressed.');
  return Number(req.headers['content-length'] ?? 0) > limits.maxBytes ? tooLarge(limits.maxBytes) : undefined;
}

function refuseType(type: string | undefined): AppError | undefined {
  if (type === undefined || !JSON_TYPE.test(type)) {
    return badBody('The body must come with Content-Type: application/json.');
  }
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return undefined;
  return badBody(`The charset must be utf-8, not ${charset}.`);
}

function tooLarge(maxBytes: number): AppError {
  return badRequest(`The body is larger than ${maxBytes} bytes.`, {
    suggestion: `Send ${maxBytes} bytes at the most.`,
  });
}

function readBytes(req: IncomingMessage, maxBytes: number): Buffer | Promise<Buffer> {
  // Who left before anybody listened is not announced again.
  if (req.destroyed) return Promise.reject(badBody(CUT_SHORT));
  // Mostly it came in one piece with its headers: waiting for events would take longer than reading it.
  if (req.complete) return wholeBytes(req, maxBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        abandon(req);
        reject(tooLarge(maxBytes));
      } else {
        chunks.push(chunk);
      }
    });
    req.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    // Also when the caller goes away: Node tells whoever listens here of that as an error.
    req.on('error', (cause) => reject(badBody(CUT_SHORT, { cause })));
  });
}

/** What has arrived of a body that ends there. */
function wholeBytes(req: IncomingMessage, maxBytes: number): Buffer {
  const bytes: unknown = req.read();
  if (!Buffer.isBuffer(bytes)) return Buffer.alloc(0);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

function parse(bytes: Buffer, { maxDepth, maxValues }: BodyLimits): unknown {
  if (bytes.length === 0) return undefined;
  if (hasMoreValues(bytes, maxValues)) throw tooMany(maxValues);
  const text = bytes.toString('utf8');
  // What is broken comes out as this character, which may also have been sent.
  if (text.includes('\ufffd') && !isUtf8(bytes)) throw badBody('The body is not UTF-8.');
  const value = parseText(text);
  // In well-formed text only an escape can stand for a NUL or for half of a pair.
  refuse(unsafePart(value, maxDepth, text.includes('\\u')));
  return value;
}

function tooMany(maxValues: number): AppError {
  return badRequest(
    `The body holds more than ${maxValues} values: its fields and the entries of its lists.`,
    {
      suggestion: `Send ${maxValues} values at the most: leave out fields that the operation does not know, and cut long lists into several calls.`,
    },
  );
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badBody('The body is not valid JSON.', { cause });
  }
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Refuses values that no field of ours can hold: nesting that would overflow a stack, text that a database
 * cannot store, keys that reach into JavaScript itself. Runs before any schema sees the value.
 */
export function refuseUnsafe(value: unknown, maxDepth: number): void {
  refuse(unsafePart(value, maxDepth, true));
}

/** The same for what is text alone: the fields of a form, or of an address. */
export function refuseUnsafeFields(fields: Iterable<readonly [string, string]>): void {
  for (const field of fields) for (const text of field) refuse(unsafeText(text));
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw badRequest(problem);
}

/** `texts` says whether they have to be looked at, too. */
function unsafePart(value: unknown, depthLeft: number, texts: boolean): string | undefined {
  if (typeof value === 'string') return texts ? unsafeText(value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depthLeft === 0) return 'The body is nested too deep.';
  if (Array.isArray(value)) return unsafeItem(value, depthLeft - 1, texts);
  return isFields(value) ? unsafeField(value, depthLeft - 1, texts) : undefined;
}

function unsafeItem(items: readonly unknown[], depthLeft: number, texts: boolean): string | undefined {
  for (const item of items) {
    const problem = unsafePart(item, depthLeft, texts);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unsafeField(fields: Fields, depthLeft: number, texts: boolean): string | undefined {
  for (const key in fields) {
    if (FORBIDDEN_KEYS.has(key)) return `The key ${key} is not allowed.`;
    const problem = (texts ? unsafeText(key) : undefined) ?? unsafePart(fields[key], depthLeft, texts);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unsafeText(text: string): string | undefined {
  if (text.includes('\u0000')) return 'A text holds a NUL character.';
  return text.isWellFormed() ? undefined : 'A text holds half of a surrogate pair.';
}
