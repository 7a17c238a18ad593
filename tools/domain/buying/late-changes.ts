import type { Db } from '../../../store/engine/db.ts';
import { makeScope } from '../../../store/engine/scope.ts';
import { listOpenChanges, type MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import { beyondCapInWords, beyondCapWith, cappedCampaign, TAKE_LESS } from './beyond-cap.ts';
import type { ChangeColumns } from './change-outcome.ts';
import { askedOf } from './taking.ts';

/**
 * Changes that come true later than they were asked for: there are fewer days left then than their daily cap was
 * reckoned with. What no seller was told yet is not sent any more, what may have reached it is not sent again, and of
 * what it confirmed the buyer is told.
 */

/** What a change takes a day by now, in words, where that is more than its campaign may spend; undefined elsewhere. */
export async function tooLateFor(
  db: Db,
  change: MediaBuyChangeRow,
  now: string,
): Promise<string | undefined> {
  const campaign = await cappedCampaign(db, change);
  if (campaign === undefined) return undefined;
  const scope = makeScope({ organizationId: change.organization_id, customerId: change.customer_id });
  const others = (await listOpenChanges(db, scope, { campaignId: campaign.id })).filter(
    ({ id }) => id !== change.id,
  );
  const buys = await listMediaBuys(db, scope, campaign.id);
  const before = { buys, open: askedOf(others) };
  return beyondCapInWords(campaign, { before, after: { buys, open: askedOf([...others, change]) } }, now);
}

/** No seller was told of it, and none is. */
export function neverSent(late: string): ChangeColumns {
  return {
    state: 'refused',
    owner: null,
    error_code: 'invalid_request',
    error_owner: 'buyer_input',
    source_message: `It was not sent: ${late} ${TAKE_LESS}`,
  };
}

/** Its seller may have it. */
export function notSentAgain(late: string, takeovers: number): ChangeColumns {
  return {
    state: 'unknown',
    owner: null,
    takeovers,
    error_code: null,
    error_owner: null,
    source_message: `it is not sent again: ${late} What the seller shows of the buy decides. ${TAKE_LESS}`,
  };
}

/** Its seller has confirmed it, and nobody can take that back. */
export function confirmedLate(late: string): Pick<MediaBuyChangeRow, 'source_message'> {
  return { source_message: `Its seller confirmed it late: ${late} ${TAKE_LESS}` };
}

/** Changes of a buy, with what is said of those that were confirmed late as it is by now: nothing once it is mended. */
export async function saidByNow(
  db: Db,
  buy: MediaBuyRow,
  { changes, now }: { readonly changes: readonly MediaBuyChangeRow[]; readonly now: string },
): Promise<MediaBuyChangeRow[]> {
  if (!changes.some(isConfirmedLate)) return [...changes];
  const late = await beyondCapWith(db, buy, now);
  const said = late === undefined ? { source_message: null } : confirmedLate(late);
  return changes.map((change) => (isConfirmedLate(change) ? { ...change, ...said } : change));
}

/** Of what a seller confirmed in time no words are kept. */
export function isConfirmedLate({
  state,
  source_message,
}: Pick<MediaBuyChangeRow, 'state' | 'source_message'>): boolean {
  return state === 'confirmed' && source_message !== null;
}
