import { opaqueOf, partsIn } from '../opaque-texts.ts';

/**
 * Ids that name a product or a proposal across storefronts (contract: `sf1:<storefront>:<opaque>`, `sfp1:` of
 * proposals). The opaque part says in which query it was found, so that it is looked up there, as the caller's own
 * and nobody else's. It is no secret and no proof: what it names has to be there.
 */

export interface MarketId {
  readonly storefrontId: string;
  /** The discovery session behind the query. */
  readonly sessionId: string;
  readonly agentId: string;
  /** As its seller calls it. */
  readonly sourceId: string;
}

const marks = { product: 'sf1', proposal: 'sfp1' } as const;

export type MarketIdOf = keyof typeof marks;

const FORM = /^(sfp?1):([1-9]\d{0,15}):([A-Za-z0-9_-]{1,2048})$/;

/** Longer ones name nothing: sellers' ids are bounded. */
export const MARKET_ID_MAX = 2_100;

export function marketId(of: MarketIdOf, { storefrontId, sessionId, agentId, sourceId }: MarketId): string {
  return `${marks[of]}:${storefrontId}:${opaqueOf([sessionId, agentId, sourceId])}`;
}

/** What an id names; undefined where no query gave it. */
export function readMarketId(of: MarketIdOf, given: string): MarketId | undefined {
  const [, mark, storefrontId = '', opaque = ''] = FORM.exec(given) ?? [];
  if (mark !== marks[of]) return undefined;
  const parts = partsIn(opaque).filter((part) => typeof part === 'string');
  const [sessionId, agentId, sourceId] = parts;
  if (sessionId === undefined || agentId === undefined || sourceId === undefined) return undefined;
  const read = { storefrontId, sessionId, agentId, sourceId };
  // Written in another way it is not the id that was given.
  return marketId(of, read) === given ? read : undefined;
}
