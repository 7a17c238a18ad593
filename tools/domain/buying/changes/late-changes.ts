import type { Db } from '../../../../store/engine/db.ts';
import { scopeOfRow, tenantOfRow } from '../../../../store/engine/scope.ts';
import {
  findConfirmedWithWords,
  listMediaBuyChanges,
  listOpenChanges,
  listOpenChangesOf,
  type MediaBuyChangeRow,
} from '../../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import { beyondCapInWords, beyondCapWith, cappedCampaign, TAKE_LESS } from '../spend/beyond-cap.ts';
import { askedOf } from '../spend/taking.ts';
import type { ChangeColumns } from './change-outcome.ts';

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
  const scope = scopeOfRow(change);
  const others = (await listOpenChanges(db, scope, { campaignId: campaign.id })).filter(
    ({ id }) => id !== change.id,
  );
  const buys = await listMediaBuys(db, scope, campaign.id);
  const before = { buys, open: askedOf(others) };
  return beyondCapInWords(campaign, { before, after: { buys, open: askedOf([...others, change]) } }, now);
}

/** No seller was told of it, and none is. What is said of it is kept, as other refusals are: it is over. */
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
    source_message: unsentInWords(late),
  };
}

/** Its seller has confirmed it, and nobody can take that back. */
export function confirmedLate(late: string): Pick<MediaBuyChangeRow, 'source_message'> {
  return { source_message: `Its seller confirmed it late: ${late} ${TAKE_LESS}` };
}

/** How many of the last changes of a buy are looked through. */
export const LAST_CHANGES = 20;

/**
 * The last changes of a buy, the latest first: no more than so many, and behind them those that wait, and the last that
 * its seller confirmed late, where they do not have them.
 */
export async function lastChanges(db: Db, buy: MediaBuyRow, limit: number): Promise<MediaBuyChangeRow[]> {
  const tenant = tenantOfRow(buy);
  const last = await listMediaBuyChanges(db, tenant, { mediaBuyId: buy.id, limit });
  if (last.length < limit) return last;
  const open = await listOpenChangesOf(db, tenant, { mediaBuyId: buy.id });
  const late = last.some(isConfirmedLate) ? undefined : await findConfirmedWithWords(db, tenant, buy.id);
  const known = new Set(last.map(({ id }) => id));
  const others = open.filter(({ id }) => !known.has(id)).toReversed();
  return [...last, ...others, ...(late === undefined ? [] : [late])];
}

/**
 * Changes of a buy, with what is said of those that came late as it is by now: of those that were confirmed nothing
 * once it is mended.
 */
export async function saidByNow(
  db: Db,
  buy: MediaBuyRow,
  { changes, now }: { readonly changes: readonly MediaBuyChangeRow[]; readonly now: string },
): Promise<MediaBuyChangeRow[]> {
  const open = await openByNow(db, changes, now);
  if (!open.some(isConfirmedLate)) return open;
  const late = await beyondCapWith(db, buy, now);
  const said = late === undefined ? { source_message: null } : confirmedLate(late);
  return open.map((change) => (isConfirmedLate(change) ? { ...change, ...said } : change));
}

/** The same of changes that wait, of whichever buys. */
export async function openByNow(
  db: Db,
  changes: readonly MediaBuyChangeRow[],
  now: string,
): Promise<MediaBuyChangeRow[]> {
  const said: MediaBuyChangeRow[] = [];
  for (const change of changes) {
    const source_message = isNotSentAgain(change) ? unsentByNow(await tooLateFor(db, change, now)) : null;
    said.push(source_message === null ? change : { ...change, source_message });
  }
  return said;
}

/** A change that is not sent again stays so: whoever has made room for it asks once more. */
function unsentByNow(late: string | undefined): string {
  return late === undefined
    ? `it came too late for budget.dailyCap, and is not sent again. ${SHOWN} You: ask for it once more if it is not there.`
    : unsentInWords(late);
}

function unsentInWords(late: string): string {
  return `it is not sent again: ${late} ${SHOWN} ${TAKE_LESS}`;
}

const SHOWN = 'What the seller shows of the buy decides.';

/** Of what nobody answered an error is kept, and of this none. */
export function isNotSentAgain({
  state,
  error_code,
  source_message,
}: Pick<MediaBuyChangeRow, 'state' | 'error_code' | 'source_message'>): boolean {
  return state === 'unknown' && error_code === null && source_message !== null;
}

/** Of what a seller confirmed in time no words are kept. */
export function isConfirmedLate({
  state,
  source_message,
}: Pick<MediaBuyChangeRow, 'state' | 'source_message'>): boolean {
  return state === 'confirmed' && source_message !== null;
}
