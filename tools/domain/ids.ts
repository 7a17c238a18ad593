import { z } from 'zod';
import type { Kind } from '../core/kinds.ts';
import { ID_MARK, LOOK_UP } from '../core/schemas/json-schema.ts';
import { type Looked, lookUps } from './look-ups.ts';

/** What ids of text begin with, what they are the ids of, and how the right one is found. */
const prefixes = {
  cmp_: { is: 'a campaign', looked: 'campaign' },
  mb_: { is: 'a media buy', looked: 'mediaBuy' },
  disc_: { is: 'a discovery session', looked: 'session' },
  wh_: { is: 'a webhook subscription', looked: 'subscription' },
  prd_: { is: 'a product', looked: 'product' },
  agt_: { is: 'a sales agent', looked: 'session' },
  key_: { is: 'an API key', looked: 'organizationKey' },
  m2m_: { is: 'an M2M application', looked: 'application' },
  sec_: { is: 'a client secret', looked: 'secret' },
  lk_: { is: 'a legacy key', looked: 'legacyKey' },
  inv_: { is: 'an invitation', looked: 'invitation' },
  jl_: { is: 'a join link', looked: 'joinLink' },
  apr_: { is: 'a spend approval', looked: 'spendApproval' },
} as const satisfies Readonly<Record<string, { is: string; looked: Looked }>>;

type Prefix = keyof typeof prefixes;

const DECIMAL = /^[1-9]\d{0,15}$/;

/** What numbers are mostly the ids of; beside them the caller says how the right one is found. */
const numbered = {
  'a storefront': 'storefront',
  'the account': 'account',
  'the advertiser': 'advertiser',
  'the person': 'member',
  'the proposal': 'proposal',
  'the storefront': 'storefront',
} as const satisfies Readonly<Record<string, Looked>>;

/** Where an id is found: in words that several families say, or in those of the kind of object that it is the id of. */
type Found = Looked | Pick<Kind, 'lookUp'>;

type Numbered = readonly [what: keyof typeof numbered] | readonly [what: string, found: Found];

/**
 * An id that the interface calls a number: requests may give the number or its decimal string
 * (interface, Resources). Hosts see text, which is what replies over MCP have: `outputId`.
 */
export function numericId(...of: Numbered) {
  const marked = { [ID_MARK]: true, ...foundBy(of) };
  return decimalId(of[0], decimal(of[0]).meta(marked)).meta(marked);
}

/** The same of a record whose ids the interface types as numbers in answers over MCP too: `typedOutputId`. */
export function typedId(...of: Numbered) {
  const marked = foundBy(of);
  return decimalId(of[0], decimal(of[0]).meta(marked)).meta(marked);
}

function foundBy([what, found]: Numbered) {
  const entry = found ?? Object.entries(numbered).find(([name]) => name === what)?.[1];
  return entry === undefined ? {} : { [LOOK_UP]: wordsOf(entry) };
}

function wordsOf(found: Found): string {
  return typeof found === 'string' ? lookUps[found] : found.lookUp;
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
export function prefixedId(what: string, prefix: Prefix, found: Found = prefixes[prefix].looked) {
  return z
    .string()
    .min(1)
    .max(128)
    .refine((value) => value.startsWith(prefix) || kindOf(value) === undefined, {
      error: ({ input }) => ofAnotherKind(input, `the id of ${what}, such as ${prefix}…`) ?? '',
    })
    .meta({ [LOOK_UP]: wordsOf(found) })
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
  return Object.entries(prefixes).find(([prefix]) => id.startsWith(prefix))?.[1].is;
}
