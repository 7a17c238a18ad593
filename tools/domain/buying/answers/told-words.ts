import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { type BuyEvent, isBegun, isOpenStatus } from '../machines.ts';
import { askSeller } from '../references.ts';

/** The words in which sellers say where a media buy stands (reference, Media buys: statuses). Pure. */

/** What each status of AdCP says, with the states of a task that has not ended. */
const events: ReadonlyMap<string, BuyEvent> = new Map([
  ['pending_creatives', 'run'],
  ['pending_start', 'run'],
  ['active', 'run'],
  ['paused', 'pause'],
  ['completed', 'complete'],
  ['rejected', 'reject'],
  ['canceled', 'cancel'],
  ['input-required', 'ask'],
  ['auth-required', 'ask'],
  ['submitted', 'review'],
  ['working', 'review'],
]);

/** Words of earlier versions and of single sellers, by the word of AdCP that means the same. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  pending_start: ['pending_activation', 'ready', 'scheduled', 'approved', 'accepted', 'booked', 'confirmed'],
  pending_creatives: ['pending_creative', 'awaiting_creatives', 'creatives_pending'],
  active: ['live', 'running', 'delivering', 'in_flight'],
  paused: ['on_hold', 'held', 'suspended'],
  completed: ['complete', 'finished', 'ended'],
  rejected: ['declined', 'denied'],
  canceled: ['cancelled', 'terminated'],
  'input-required': ['input_required'],
  'auth-required': ['auth_required'],
  submitted: [
    ...['draft', 'proposed', 'pending', 'pending_review', 'in_review', 'under_review'],
    ...['pending_approval', 'awaiting_approval', 'pending_permission', 'pending_manual'],
  ],
};

const meanings = new Map(
  Object.entries(otherWords).flatMap(([meant, words]) => words.map((word) => [word, meant] as const)),
);

/** Stands for a status that a seller has yet to tell: of such a buy it is asked again. */
export const UNTOLD = 'unknown';

/** The word of AdCP that means the same; one that means nothing here as it is, in small letters. */
export function inWordsOfAdcp(told: string): string {
  const word = told.toLowerCase();
  const joined = word.replaceAll(/[\s-]+/g, '_');
  return meanings.get(joined) ?? (events.has(joined) ? joined : word);
}

/** What it says of a buy; undefined where the word says nothing. */
export function eventTold(told: string): BuyEvent | undefined {
  return events.get(inWordsOfAdcp(told));
}

/** One word, and no sentence: only such a one is repeated. */
const WORD = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

type Buy = Pick<MediaBuyRow, 'status' | 'submission' | 'adcp_status' | 'agent_name' | 'storefront_id' | 'id'>;

/** That the seller of a buy which lives says a status that nobody knows; undefined where it does not. */
function strangeWord({ status, submission, adcp_status, agent_name }: Buy): string | undefined {
  const isTold = adcp_status !== null && adcp_status !== UNTOLD && isOpenStatus(status);
  if (!isTold || submission !== 'answered' || eventTold(adcp_status) !== undefined) return undefined;
  return WORD.test(adcp_status)
    ? `${agent_name} says “${adcp_status}”, a status that AdCP does not have.`
    : `${agent_name} says a status that AdCP does not have.`;
}

/** The same in the explanation of a buy: of one that runs, who is to be asked. */
export function strangeWordInWords(buy: Buy, { canAsk }: { readonly canAsk: boolean }): string | undefined {
  const strange = strangeWord(buy);
  return strange !== undefined && canAsk && isBegun(buy.status)
    ? `${strange} ${askSeller(buy)}, what it means.`
    : strange;
}

/**
 * What is told as the words of its seller: that, where it says nothing else, and why its last report was not taken.
 */
export function sellersWords(
  buy: Buy & Pick<MediaBuyRow, 'source_message' | 'report_doubt'>,
): string | undefined {
  const { report_doubt: doubt } = buy;
  const said = buy.source_message ?? strangeWord(buy);
  if (doubt === null) return said;
  return said === undefined ? doubt : `${ended(said)} ${doubt}`;
}

/** Sellers write as they like: what follows begins a sentence. */
function ended(said: string): string {
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}
