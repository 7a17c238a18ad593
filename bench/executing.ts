import { openStore } from '../store/open.ts';
import { clientFor } from '../test/support/callers/client.ts';
import { giveFunds } from '../test/support/callers/funds.ts';
import { done, draftCampaign, flightAhead } from '../test/support/sellers/market.ts';
import { cpuMsOf } from './cpu-time.ts';
import type { PinnedServer } from './pinned.ts';
import type { Seed } from './seed.ts';

/** Enough that the clock of the processor, which ticks in hundredths of a second, hardly counts. */
const CAMPAIGNS = 60;

/** Gives the buyer of a file the money to buy with. */
export async function payFor(file: string): Promise<void> {
  const store = openStore(`file:${file}`);
  try {
    const accounts = await store.db.withoutPlugins().selectFrom('customers').selectAll().execute();
    await giveFunds({ store, now: new Date().toISOString() }, accounts);
  } finally {
    await store.close();
  }
}

/** Microseconds of the processor that one execute takes, of campaigns that each buy one product of this storefront. */
export async function measureExecute(
  server: PinnedServer,
  seed: Seed,
  storefrontId: string,
): Promise<number> {
  const buyer = clientFor(server.url, seed.key);
  const drafts: string[] = [];
  for (let count = 0; count < CAMPAIGNS; count += 1) {
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: seed.advertiserId,
      storefrontIds: [storefrontId],
      flight: flightAhead(),
    });
    drafts.push(campaignId);
  }
  const before = cpuMsOf(server.pid);
  for (const campaignId of drafts) done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  return ((cpuMsOf(server.pid) - before) * 1_000) / CAMPAIGNS;
}
