import { z } from 'zod';
import { ID_MARK } from '../core/json-schema.ts';

/** What ids of text begin with, and what they are the ids of. */
const prefixes = {
  cmp_: 'a campaign',
  mb_: 'a media buy',
  disc_: 'a discovery session',
  wh_: 'a webhook subscription',
  prd_: 'a product',
  agt_: 'a sales agent',
  key_: 'an API key',
  m2m_: 'an M2M application',
  sec_: 'a client secret',
  lk_: 'a legacy key',
  inv_: 'an invitation',
  jl_: 'a join link',
  apr_: 'a spend approval',
} as const;

type Prefix = keyof typeof prefixes;

const DECIMAL = /^[1-9]\d{0,15}$/;

/**
 * An id that the interface calls a number: requests may give the number or its decimal string
 * (interface, Resources). Hosts see text, which is what replies over MCP have: `outputId`.
 */
export function numericId(what: string) {
  const marked = { [ID_MARK]: true };
  return decimalId(what, decimal(what).meta(marked)).meta(marked);
}

/** The same of a record whose ids the interface types as numbers in answers over MCP too: `typedOutputId`. */
export function typedId(what: string) {
  return decimalId(what, decimal(what));
}

function decimalId(what: string, number: ReturnType<typeof decimal>) {
  return z
    .preprocess((value) => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value), number)
    .describe(`Id of ${what}, a decimal number.`);
}

function decimal(what: string) {
  return z
    .number({ error: ({ input }) => ofAnotherKind(input, `the id of ${what}, a number`) })
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER);
}

/** An id in an answer that the contract shows as a number. Over MCP it is text, as inputs there take it. */
export function outputId(description: string) {
  return z
    .number()
    .int()
    .meta({ [ID_MARK]: true })
    .describe(description);
}

/** An id that the interface types as a number in the answer of a tool: a number over MCP too. */
export function typedOutputId(description: string) {
  return z.number().int().describe(description);
}

/** An id made of a prefix and letters, digits, `_` or `-`, such as `cmp_…`. */
export function prefixedId(what: string, prefix: Prefix) {
  return z
    .string()
    .min(1)
    .max(128)
    .refine((value) => value.startsWith(prefix) || kindOf(value) === undefined, {
      error: ({ input }) => ofAnotherKind(input, `the id of ${what}, such as ${prefix}…`) ?? '',
    })
    .describe(`Id of ${what}, such as ${prefix}….`);
}

/** Says what the id that was given is the id of; undefined where it is none that we know. */
function ofAnotherKind(given: unknown, wanted: string): string | undefined {
  const kind = typeof given === 'string' ? kindOf(given) : undefined;
  return kind === undefined ? undefined : `${String(given).slice(0, SHOWN)} is ${kind}: give ${wanted}.`;
}

/** As much of an id as a complaint shows of it. */
const SHOWN = 60;

function kindOf(id: string): string | undefined {
  return Object.entries(prefixes).find(([prefix]) => id.startsWith(prefix))?.[1];
}
