import { z } from 'zod';
import { contradiction, invalidInput } from '../../core/errors/refusals.ts';
import { type Asks, askedIn, type Candidate } from '../../domain/discovery/choosing/asks.ts';
import { NOT_FOUND } from '../../domain/discovery/choosing/found-products.ts';
import { isUnread } from '../../domain/discovery/instructions.ts';
import { longText, shortText } from '../../domain/text.ts';

/** What the products that are selected for a campaign are to be: which of them, and what they answer. */

const ask = longText(2_000).min(1);

/** One object for both scopes: hosts take no entries of several kinds. */
export const refinement = z
  .strictObject({
    scope: z.enum(['request', 'product']).describe('request: about all; product: about one of the session.'),
    id: shortText(255).optional().describe('product: its id.'),
    action: z
      .enum(['include', 'omit', 'moreLikeThis'])
      .optional()
      .describe(
        'product: whether it is to be chosen (refused where it cannot be), or others are to be like it.',
      ),
    ask: ask.optional().describe('What is wanted or turned down, in words; with omit, what is not wanted.'),
  })
  .superRefine((one, problems) => {
    const needed = one.scope === 'request' ? (['ask'] as const) : (['id', 'action'] as const);
    const other = one.scope === 'request' ? (['id', 'action'] as const) : [];
    for (const field of needed) {
      if (one[field] === undefined) {
        problems.addIssue({
          code: 'custom',
          path: [field],
          message: `Required where scope is ${one.scope}.`,
        });
      }
    }
    for (const field of other) {
      if (one[field] !== undefined) {
        problems.addIssue({ code: 'custom', path: [field], message: 'Leave it out where scope is request.' });
      }
    }
  });

type Refinement = z.output<typeof refinement>;

/** The products that entries are about: all of them, or those of one action. */
export function idsNamed(refine: readonly Refinement[], wanted?: Refinement['action']): string[] {
  const meant = refine.filter(({ action }) => wanted === undefined || action === wanted);
  return meant.flatMap(({ id }) => id ?? []);
}

/** A product that is named and was not found would be passed over in silence. */
export function requireFoundProducts(refine: readonly Refinement[], candidates: readonly Candidate[]): void {
  const issues = refine.flatMap((one, index) =>
    one.scope === 'product' && !candidates.some(({ product }) => product.productId === one.id)
      ? [{ path: `refine.${index}.id`, message: NOT_FOUND.problem }]
      : [],
  );
  if (issues.length > 0) throw invalidInput(issues, { suggestion: 'Find products with browse_products.' });
}

const OTHERWISE =
  'Leave it out of refine, change what the message names, or choose it afterwards with discovery_add_products.';

/** So would one that is to be chosen and cannot be. */
export function requireIncluded(refine: readonly Refinement[], unfit: ReadonlyMap<string, string>): void {
  const issues = refine.flatMap(({ action, id = '' }, index) => {
    const message = action === 'include' ? unfit.get(id) : undefined;
    return message === undefined ? [] : [{ path: `refine.${index}.id`, message }];
  });
  if (issues.length > 0) throw contradiction(issues, { suggestion: OTHERWISE });
}

interface Found {
  readonly candidates: readonly Candidate[];
  /** Of the campaign: prices in others are not compared. */
  readonly currency: string;
}

export function asksIn(refine: readonly Refinement[], { candidates, currency }: Found): Asks {
  const isAgainst = (one: Refinement) => one.scope === 'product' && one.action === 'omit';
  const words = (of: readonly Refinement[]) => of.flatMap(({ ask: said }) => said ?? []);
  const like = refine.flatMap((one) =>
    one.scope === 'product' && one.action === 'moreLikeThis'
      ? candidates.filter(({ product }) => product.productId === one.id)
      : [],
  );
  return {
    wanted: askedIn(words(refine.filter(({ scope }) => scope === 'request')), currency),
    preferred: askedIn(words(refine.filter((one) => one.scope === 'product' && !isAgainst(one))), currency),
    unwanted: words(refine.filter(isAgainst)),
    like,
  };
}

/** Words that might be meant either way are held against nothing, and named. */
export function unreadAsks({ wanted, preferred }: Asks): string[] {
  return [...wanted, ...preferred]
    .filter(isUnread)
    .map(({ text }) => `refine: “${text}” could not be read for certain, and decided nothing.`);
}
