import { z } from 'zod';
import type { Page } from '../../store/engine/paging.ts';
import { MODEL_DEFAULT } from '../core/schemas/json-schema.ts';
import type { Spellings } from '../core/schemas/spellings.ts';

/** `limit` and `offset` mean `take` and `skip` on every offset-paged list (interface, Pagination). */
export const pagingSpellings: Spellings = { take: ['limit'], skip: ['offset'] };

const SKIP_MAX = 1_000_000;

/** A model pays for every row, and asks for more where it wants more. */
const MODEL_PAGE = 20;

interface Take {
  readonly byDefault: number;
  /** The default over MCP, where the rows are large. */
  readonly forModels?: number;
  readonly max: number;
}

/** The two fields that page a list, with the default and the cap of its endpoint. */
export function pagingFields(take: Take) {
  const { byDefault, forModels = MODEL_PAGE } = take;
  return {
    take: z
      .number()
      .int()
      .min(1)
      .max(take.max)
      .default(byDefault)
      .describe(`How many to return, ${take.max} at the most. Also accepted as limit.`)
      .meta(byDefault > forModels ? { [MODEL_DEFAULT]: forModels } : {}),
    skip: z
      .number()
      .int()
      .min(0)
      .max(SKIP_MAX)
      .default(0)
      .describe('How many to pass over first. Also accepted as offset.'),
  };
}

/** The counters that `{items, total, hasMore, nextOffset}` lists print. */
export function nextPage(page: Page, shown: number, total: number) {
  const hasMore = page.skip + shown < total;
  return { total, hasMore, nextOffset: hasMore ? page.skip + shown : null };
}

/** The counters of a list, beside its rows. */
export const pageCounters = {
  total: z.number().int().describe('How many there are without paging; beyond 10,000 an estimate.'),
  hasMore: z.boolean().describe('Whether more follow this page.'),
  nextOffset: z.number().int().nullable().describe('The skip of the next page; null on the last.'),
};

/** The fields of `{items, total, hasMore, nextOffset}`, around the items. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item).describe('This page of the list.'),
    ...pageCounters,
  });
}
