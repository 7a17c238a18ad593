import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { isNotSentAgain } from './late-changes.ts';
import { isStop } from './machines.ts';
import { askSeller } from './references.ts';

/** How far a change has come, and who has to do what. Pure. */

const ASKED: Readonly<Record<MediaBuyChangeRow['action'], string>> = {
  update: 'The change',
  pause: 'The pause',
  resume: 'The reactivation',
  cancel: 'The cancellation',
  archive: 'The cancellation for the archive',
};

interface Bounds {
  /** How often a change whose answer was lost is sent again. */
  readonly takeovers: number;
}

export function ofChange(buy: MediaBuyRow, change: MediaBuyChangeRow, bounds: Bounds): string[] {
  const asked = `${ASKED[change.action]} asked for at ${change.created_at}`;
  switch (change.state) {
    case 'waiting':
      return [
        `${asked} waits for ${buy.agent_name} to confirm it; until then the buy stays as it is. ${askSeller(buy)}, if it takes too long.`,
      ];
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
      return [
        `${asked} was refused${change.error_owner === 'seller' ? ' for reasons of the seller' : ': change what sourceMessage names, and ask again'}.`,
      ];
    case 'confirmed':
      return change.source_message === null ? [] : [`${asked}: ${change.source_message}`];
    case 'superseded':
      return [];
  }
}

/** It is sent again so often, and then given up; one that stops what is spent goes out with the next news. */
function ofUnanswered(buy: MediaBuyRow, change: MediaBuyChangeRow, { takeovers }: Bounds): string {
  const { action, error_code, source_message } = change;
  // It says so itself.
  if (isNotSentAgain(change)) return `: ${source_message}`;
  if (change.takeovers < takeovers) return ': it is sent again by itself, under the same key.';
  const error = `(${error_code}, see sourceMessage)`;
  return isStop(action)
    ? ` ${error}: it is sent again by itself, under the same key, as soon as ${buy.agent_name} tells of the buy. ${askSeller(buy)}, if it takes too long.`
    : `, and is given up ${error}. What ${buy.agent_name} shows of the buy decides. You: read it with campaign_get_media_buy_status, and ask for ${ASKED[action].toLowerCase()} once more if it is not there.`;
}
