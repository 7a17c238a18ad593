import { commonErrorCodes, type ErrorCode, errorEntry } from '../../tools/core/errors/catalogue.ts';
import { examplesOf, type Shown } from './openapi-refusals.ts';
import type { Json } from './openapi-schemas.ts';

/** A result in its envelope. */
export function enveloped(data: Json, isList = false): Json {
  const pagination = { $ref: '#/components/schemas/Pagination' };
  const schema = {
    type: 'object',
    properties: {
      data,
      error: { type: 'null' },
      ...(isList ? { meta: { type: 'object', properties: { pagination } } } : {}),
    },
    required: ['data', 'error'],
  };
  return { 'application/json': { schema } };
}

/** Answers to requests that never reach an operation, and of pages. */
const OF_NO_OPERATION: ReadonlySet<number> = new Set([405, 408, 410, 431]);

/** One response a status, naming the codes that travel with it. */
export function failures(own: readonly ErrorCode[], isTaggedRead = false): Json {
  const codes = [...new Set<ErrorCode>([...commonErrorCodes, ...own])];
  const statuses = [...new Set(codes.flatMap((code) => [...errorEntry(code).statuses]))].sort(
    (a, b) => a - b,
  );
  return Object.fromEntries(
    statuses
      .filter((status) => !OF_NO_OPERATION.has(status))
      .map((status) => {
        const here = codes.filter((code) => errorEntry(code).statuses.includes(status));
        return [String(status), failure(here, { status, isTaggedRead })];
      }),
  );
}

function failure(codes: readonly ErrorCode[], shown: Shown): Json {
  const schema = { $ref: '#/components/schemas/Error' };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorEntry(code).meaning}`).join(' '),
    content: { 'application/json': { schema, examples: examplesOf(codes, shown) } },
  };
}
