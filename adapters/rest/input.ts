import type { IncomingMessage } from 'node:http';
import { badBody, invalid } from '../../tools/core/errors/refusals.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { type Kinds, readParam, readQuery } from '../../tools/core/text-input.ts';
import { type BodyLimits, readJson, refuseUnsafe } from '../http/body.ts';
import { refuseBrokenQuery } from '../http/broken-query.ts';

type Fields = Record<string, unknown>;

export interface RequestParts {
  readonly req: IncomingMessage;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Asked for where text has to be read. */
  readonly kinds: () => Kinds;
  readonly limits: BodyLimits;
}

const BODILESS = new Set(['GET', 'HEAD']);

/** Path, query and body as one input object: what one of them says the others may repeat, and not contradict. */
export function readInput(parts: RequestParts): Fields | Promise<Fields> {
  const { req, limits } = parts;
  // What has no body need not be waited for.
  if (BODILESS.has(req.method ?? '')) return inputOf(parts, undefined);
  const body = readJson(req, limits);
  return body instanceof Promise ? body.then((late) => inputOf(parts, late)) : inputOf(parts, body);
}

/** What the path names. */
export function readPath(params: RequestParts['params'], kinds: RequestParts['kinds']): Fields {
  const named = Object.entries(params).filter((param): param is [string, string] => param[1] !== undefined);
  return Object.fromEntries(named.map(([name, text]) => [name, readParam(name, text, kinds)]));
}

function inputOf({ req, params, query, kinds, limits }: RequestParts, body: unknown): Fields {
  if (body !== undefined && !isFields(body)) throw badBody('The body must be a JSON object.');
  refuseBrokenQuery(req);
  const asked = readQuery(query, kinds);
  refuseUnsafe(asked, limits.maxDepth);
  if (body !== undefined) refuseContradiction(asked, body);
  const input: Fields = { ...asked, ...body };
  for (const name in params) {
    const text = params[name];
    if (text === undefined) continue;
    refuseUnsafe(text, 1);
    const given = input[name];
    if (given !== undefined && String(given) !== text) {
      throw invalid(name, `Says something else than the path, which has ${text}.`);
    }
    input[name] = readParam(name, text, kinds);
  }
  return input;
}

function refuseContradiction(asked: Fields, body: Fields): void {
  for (const name in asked) {
    if (body[name] !== undefined && textOf(body[name]) !== textOf(asked[name])) {
      throw invalid(name, 'Says something else in the body than in the query. Give it in one of them.');
    }
  }
}

/** A number is the same as its digits: a query has no other. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
