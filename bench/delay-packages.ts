import { clientFor } from '../test/support/callers/client.ts';
import { draftCampaign, executed } from '../test/support/sellers/market.ts';
import type { Input } from './delay-inputs.ts';
import type { PinnedServer } from './pinned.ts';
import type { Seed } from './seed.ts';

const WEEKS = 52;
const WEEK_DAYS = 7;
const DAY_MS = 86_400_000;
/** As many of a seller as one answer of a search shows. */
const PRODUCTS = 15;
const EACH = 5_200;

/** A year of weekly budgets, bought of each product that a seller shows: hundreds of packages in one media buy. */
export async function ofPackages(
  server: Pick<PinnedServer, 'url'>,
  { key, advertiserId }: Seed,
  storefrontId: string,
): Promise<Input[]> {
  const from = new Date().setUTCHours(0, 0, 0, 0) + 2 * WEEK_DAYS * DAY_MS;
  const dayAt = (at: number) => new Date(from + at * DAY_MS).toISOString().slice(0, 10);
  const periods = Array.from({ length: WEEKS }, (_, week) => ({
    label: `Week ${week + 1}`,
    start: dayAt(week * WEEK_DAYS),
    end: dayAt(week * WEEK_DAYS + WEEK_DAYS - 1),
    weight: 1,
  }));
  const endDate = `${dayAt(WEEKS * WEEK_DAYS - 1)}T23:59:59.000Z`;
  const buyer = clientFor(server.url, key);
  const { campaignId } = await draftCampaign(buyer, {
    ...{ advertiserId, storefrontIds: [storefrontId], budget: PRODUCTS * EACH, each: EACH },
    flight: { startDate: `${dayAt(0)}T00:00:00.000Z`, endDate },
    campaign: { pacingPeriods: { mode: 'weight', periods } },
  });
  const mediaBuyId = await executed(buyer, campaignId);
  const read = (what: string, path: string): Input => ({
    name: `a media buy of ${PRODUCTS * WEEKS} packages, ${what}`,
    send: (ask) => ask({ method: 'GET', path: `/api/v2/buyer${path}` }),
    status: 200,
    holds: new RegExp(`"${mediaBuyId}"`),
  });
  return [
    read('its campaign', `/campaigns/${campaignId}`),
    read('by itself', `/media-buys/${mediaBuyId}`),
    read('where it stands', `/campaigns/${campaignId}/media-buy-status`),
    read('what it delivered', `/campaigns/${campaignId}/delivery`),
  ];
}
