import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { nameOf } from '../changes/awaited-words.ts';
import { isShownOtherwise } from '../changes/change-outcome.ts';
import { isEnd } from '../changes/change-standing.ts';
import { asksBuyer } from '../changes/change-states.ts';
import { isNotSentAgain } from '../changes/late-changes.ts';
import { isLive, isStop } from '../machines.ts';
import { updateIn } from '../payloads.ts';
import { askSeller, referenceOf } from '../references.ts';
import type { Stopped } from './running-on.ts';

/** How far a change has come, and who has to do what. Pure. */

interface Bounds {
  /** How often a change whose answer was lost is sent again. */
  readonly takeovers: number;
  /** Whether anything can be asked of the buy: of one that is over, or is to end, it is only said what became of it. */
  readonly canAsk: boolean;
  /** How its campaign was stopped, where it goes on all the same: then it is said what to call for that. */
  readonly stopped?: Stopped | undefined;
  /** The change that sourceMessage is of; undefined where it is none of a change. */
  readonly speaking?: MediaBuyChangeRow | undefined;
}

/** Where the words of its seller stand. */
function messageOf(change: MediaBuyChangeRow, { speaking }: Bounds): string {
  return change === speaking ? 'sourceMessage' : 'its message in changes with detail full';
}

export function ofChange(buy: MediaBuyRow, change: MediaBuyChangeRow, bounds: Bounds): string[] {
  const asked = `The ${nameOf(change)} asked for at ${change.created_at}`;
  switch (change.state) {
    case 'waiting':
      return [`${asked}${ofWaiting(buy, change, bounds)}`];
    case 'held':
      return [
        change.action === 'pause'
          ? `${asked} goes out as soon as the buy runs.`
          : `${asked} goes out as soon as ${buy.agent_name} has named the buy.`,
      ];
    case 'sending':
      return [`${asked} is on its way to ${buy.agent_name}.`];
    case 'unknown':
      return [`${asked} was not answered by ${buy.agent_name}${ofUnanswered(buy, change, bounds)}`];
    case 'refused':
      return [`${asked} was refused${ofRefused(buy, change, bounds)}.`];
    case 'confirmed':
      return change.source_message === null ? [] : [`${asked}: ${change.source_message}`];
    case 'superseded':
      return [];
  }
}

function ofWaiting(buy: MediaBuyRow, change: MediaBuyChangeRow, bounds: Bounds): string {
  if (asksBuyer(change)) return ` waits for you${ofAsking(buy, change, bounds)}`;
  if (isTermsOtherwise(change)) return `: ${change.source_message}${ofOtherwise(buy, bounds)}`;
  if (isNotDone(change)) return `: ${change.source_message}${ofNotDone(buy, change, bounds)}`;
  return ` waits for ${buy.agent_name} to confirm it${untilThen(buy, change, bounds)}`;
}

/** The words of orders that ask for something. */
function ofAsking(buy: MediaBuyRow, change: MediaBuyChangeRow, bounds: Bounds): string {
  const { canAsk } = bounds;
  if (!canAsk && !(isEnd(change) && isLive(buy))) return '.';
  return `: ${buy.agent_name} needs something from you first, see ${messageOf(change, bounds)}; until then the buy stays as it is. You: give it to the seller, naming ${referenceOf(buy)}.`;
}

/** Whose end waits is to be asked after all the same. */
function untilThen(buy: MediaBuyRow, change: MediaBuyChangeRow, { canAsk }: Bounds): string {
  return canAsk || (isEnd(change) && isLive(buy))
    ? `; until then the buy stays as it is. ${askSeller(buy)}, if it takes too long.`
    : '.';
}

/** Whether a later change takes its place: packages that were added cannot be asked for twice. */
function isTermsOtherwise(change: MediaBuyChangeRow): boolean {
  const { newPackages } = updateIn(change);
  return change.action === 'update' && newPackages === undefined && isShownOtherwise(change);
}

/** Whether it is asked for as a whole, and its seller took it and did not do it. */
function isNotDone(change: MediaBuyChangeRow): boolean {
  return change.action !== 'update' && isShownOtherwise(change);
}

/** Nobody sends it again but whoever asks for it; of one that runs on it is said what to call. */
function ofNotDone(buy: MediaBuyRow, change: MediaBuyChangeRow, { canAsk, stopped }: Bounds): string {
  const isAsked = canAsk || (isEnd(change) && isLive(buy));
  if (!isAsked || stopped !== undefined) return '';
  return ` You: ${WHETHER[change.action] ?? ''}ask again, or talk to the seller, naming ${referenceOf(buy)}.`;
}

/** The seller has said yes: nothing but what it shows, or another wish, goes on from here. */
function ofOtherwise(buy: MediaBuyRow, { canAsk }: Bounds): string {
  if (!canAsk) return '';
  return ` ${askSeller(buy)}, to show it so; or ask for what it shows, or for something else, with media_buy_update, which takes its place.`;
}

function ofRefused(buy: MediaBuyRow, change: MediaBuyChangeRow, bounds: Bounds): string {
  const { canAsk, stopped } = bounds;
  const { action, error_owner } = change;
  const why = error_owner === 'seller' ? ' for reasons of the seller' : '';
  if (!canAsk || (action === 'pause' && stopped !== undefined)) return why;
  if (action === 'update' && why === '')
    return `: change what ${messageOf(change, bounds)} names, and ask again`;
  const when = why === '' ? 'ask again' : 'ask again later';
  return `${why}, see ${messageOf(change, bounds)}. You: ${WHETHER[action] ?? ''}${when}, or talk to the seller, naming ${referenceOf(buy)}`;
}

/** What was asked for may not be wanted any more, as after its campaign was reactivated: nothing here tells that. */
const WHETHER: Partial<Record<MediaBuyChangeRow['action'], string>> = {
  pause: 'if it is still to be held, ',
  resume: 'if it is still to go on, ',
};

/** It is sent again so often, and then given up; one that stops what is spent goes out with the next news. */
function ofUnanswered(buy: MediaBuyRow, change: MediaBuyChangeRow, bounds: Bounds): string {
  const { takeovers, canAsk } = bounds;
  const { action, error_code, source_message } = change;
  // It says so itself.
  if (isNotSentAgain(change)) return canAsk ? `: ${source_message}` : '.';
  if (change.takeovers < takeovers) return ': it is sent again by itself, under the same key.';
  if (!canAsk && !(isEnd(change) && isLive(buy))) return '.';
  const error = `(${error_code}, see ${messageOf(change, bounds)})`;
  return isStop(action)
    ? ` ${error}: it is sent again by itself, under the same key, as soon as ${buy.agent_name} tells of the buy. ${askSeller(buy)}, if it takes too long.`
    : `, and is given up ${error}. What ${buy.agent_name} shows of the buy decides. You: read it with campaign_get_media_buy_status, and ask for the ${nameOf(change)} once more if it is not there.`;
}
