import type { AgentTally } from '../../../../store/discovery-agents.ts';
import type { HiddenAgent } from '../../../../store/discovery-groups.ts';
import { type DiscoveryAgentRow, quietReasons } from '../../../../store/discovery-sessions.ts';
import type { NotAsked } from '../../discovery-opening.ts';
import type { Filter } from '../groups.ts';
import type { Hiding, ReadProducts } from './seller-products.ts';

/** What a buyer is told of a seller that shows nothing, or not what was asked for. */

const hiding: Readonly<Record<Hiding, string>> = {
  channels: 'run on other channels',
  countries: 'run in other countries',
  publisherDomain: 'are of other publishers',
  pricingModel: 'are sold by other pricing models',
  deliveryType: 'are not of the delivery type',
  isFixedPrice: 'are not priced so',
  exclusivity: 'are not of the exclusivity',
  minExposures: 'are not said to bring so many exposures',
  budgetRange: 'are not to be had for the budget',
  screening: 'were rejected by the screening',
  evaluation: 'were rejected by the evaluation',
  refine: 'were omitted by refine',
  no_room: 'found no room in the session',
};

const UNMATCHED = 'Nothing it offers matches the brief: what it has is in the session all the same.';

const NO_SANDBOX =
  'The seller declares no sandbox accounts (account.sandbox): it is not asked for a sandbox advertiser.';

/** What there is to say about an answer: why it came to nothing, or that the brief matched nothing. */
export function quietOf({
  products,
  hidden,
  briefMatched,
  isWithoutSandbox,
}: ReadProducts): Pick<DiscoveryAgentRow, 'reason' | 'message'> {
  if (isWithoutSandbox) return { reason: 'no_sandbox', message: NO_SANDBOX };
  if (products > 0)
    return briefMatched ? { reason: null, message: null } : { reason: 'brief', message: UNMATCHED };
  const counts = quietReasons.flatMap((reason) => {
    const count = isHiding(reason) ? (hidden[reason] ?? 0) : 0;
    return isHiding(reason) && count > 0 ? [{ reason, count }] : [];
  });
  const [most] = [...counts].sort((one, other) => other.count - one.count);
  if (most === undefined) {
    return { reason: 'nothing_offered', message: 'The seller has nothing to offer for this request.' };
  }
  const told = counts.map(({ reason, count }) => `${count} ${hiding[reason]}`).join(', ');
  const isFiltered = counts.every(({ reason }) => reason !== 'refine' && reason !== 'no_room');
  const words = isFiltered ? 'Its products do not pass the filters' : 'Its products are not shown';
  return { reason: most.reason, message: `${words}: ${told}.` };
}

function isHiding(reason: (typeof quietReasons)[number]): reason is Hiding {
  return reason in hiding;
}

export const closedWords: Readonly<Record<NotAsked['reason'], string>> = {
  archived: 'The storefront is archived.',
  paused: 'The storefront is paused by its owner.',
  not_transacting: 'The storefront is not open for business yet.',
  no_active_source: 'The storefront has no active source to sell through.',
};

/** What is told of each seller that shows nothing of what was asked for, storefronts that were never asked first. */
export function notesOf(notAsked: readonly NotAsked[], agents: readonly DiscoveryAgentRow[]) {
  const unasked = notAsked.map(({ storefrontId, storefrontName, reason }) => ({
    storefrontId: String(storefrontId),
    storefrontName,
    reason,
    message: closedWords[reason],
  }));
  const quiet = agents.flatMap((agent) => {
    const reason = quietReasons.find((known) => known === agent.reason);
    if (agent.state !== 'answered' || reason === undefined) return [];
    return [
      {
        agentId: agent.agent_id,
        storefrontId: String(agent.storefront_id),
        storefrontName: agent.storefront_name,
        reason,
        message: agent.message ?? '',
      },
    ];
  });
  return [...unasked, ...quiet];
}

/** What is told of sellers that show nothing because of what a reader filters by. */
export function hiddenNotesOf(agents: readonly HiddenAgent[], filters: readonly Filter[]) {
  const [reason] = filters;
  if (reason === undefined) return [];
  return agents.map((agent) => ({
    agentId: agent.agent_id,
    storefrontId: String(agent.storefront_id),
    storefrontName: agent.storefront_name,
    reason,
    message: `Its products do not pass ${filters.join(' and ')} of this call.`,
  }));
}

/** False when sellers answered and nothing of any of them matches the brief; undefined where nobody says so. */
export function briefMatchedIn({
  showing,
  unmatched,
}: Pick<AgentTally, 'showing' | 'unmatched'>): false | undefined {
  return showing > 0 && showing === unmatched ? false : undefined;
}
