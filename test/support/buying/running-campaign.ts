import type { MediaBuyStatus } from '../../../store/media-buys.ts';
import { newPerson, type Person } from '../callers/people.ts';
import { type FarSeller, farSeller } from '../sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../sellers/market.ts';
import type { TestServer } from '../server/server.ts';

/** A campaign that runs at a seller far away, which has no way to change what it sold. */
export interface Running {
  readonly buyer: Person;
  readonly campaignId: string;
  readonly seller: FarSeller;
}

export async function runningCampaign(server: TestServer): Promise<Running> {
  const seller = await farSeller(server, 'Far');
  seller.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] }));
  const buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  const storefrontIds = [seller.storefrontId];
  const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds });
  done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  return { buyer, campaignId, seller };
}

/** Puts the media buys of a campaign into a status, as its sellers would. */
export async function putBuys(
  server: TestServer,
  { campaignId, status }: { campaignId: string; status: MediaBuyStatus },
): Promise<void> {
  const open = server.store.db.withoutPlugins();
  // The service asks after a failure that a seller has named, and takes it up again.
  const named = status === 'FAILED' ? { adcp_media_buy_id: null, adcp_task_id: null } : {};
  await open
    .updateTable('media_buys')
    .set({ status, ...named })
    .where('campaign_id', '=', campaignId)
    .execute();
}
