import type { CampaignStatus } from '../../../../store/campaigns.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { next } from '../../../core/machines.ts';
import { isUnheld } from '../answers/unsent.ts';
import { campaignMachine } from '../machines.ts';
import { WITH_ITS_CAMPAIGN } from '../ways-out.ts';
import { listedTwice } from './listed-twice.ts';

/** Media buys that no seller holds, in words, and whether anything can still become of them. Pure. */

/** Whether a campaign has come to its end: nothing of it is ordered or changed any more. */
export function isCampaignOver(status: CampaignStatus | undefined): boolean {
  return status !== undefined && next(campaignMachine, status, 'change') === undefined;
}

/** Whether no seller holds it, and in a campaign that is over none will. */
export function isNeverHeld(
  buy: Pick<MediaBuyRow, 'status' | 'submission'>,
  campaign: CampaignStatus | undefined,
): boolean {
  return isUnheld(buy) && isCampaignOver(campaign);
}

interface Around {
  readonly campaign: CampaignStatus | undefined;
  /** Whether another person has to allow first that it is ordered: then nothing is advised beside that. */
  readonly isAwaited: boolean;
}

export function unheldInWords(buy: MediaBuyRow, { campaign, isAwaited }: Around): string {
  const isLeft = isNeverHeld(buy, campaign);
  const { what, advice } = standsAs(buy);
  if (isAwaited || advice === undefined) return what;
  return `${what} ${isLeft ? WITH_ITS_CAMPAIGN : advice}`;
}

interface Said {
  readonly what: string;
  /** As long as its campaign goes on; undefined where that is said beside. */
  readonly advice?: string;
}

function standsAs(buy: MediaBuyRow): Said {
  switch (buy.status) {
    case 'FAILED':
      return failureOf(buy);
    case 'REJECTED':
      return {
        what: `${buy.agent_name} will not have the order, for good.`,
        advice: 'You: choose other products.',
      };
    case 'DRAFT':
      return { what: 'It was not sent to a seller yet.', advice: 'You: execute the campaign.' };
    default:
      return listedTwice(buy) === undefined
        ? { what: 'It is over:', advice: 'nothing is to be done.' }
        : { what: 'It is over.' };
  }
}

const AGAIN = 'Then execute the campaign again.';

function failureOf({ error_owner, agent_name, submission }: MediaBuyRow): Said {
  if (error_owner === 'buyer_input') {
    const what = submission === 'unsent' ? 'The order was kept back.' : `${agent_name} refused the order.`;
    return { what, advice: `You: change what sourceMessage names. ${AGAIN}` };
  }
  if (error_owner === 'platform') {
    return {
      what: 'The order failed in this service.',
      advice: `Its operator: look into the log. ${AGAIN}`,
    };
  }
  return {
    what: `${agent_name} could not take the order.`,
    advice: `The seller has to mend that, or you choose other products. ${AGAIN}`,
  };
}
