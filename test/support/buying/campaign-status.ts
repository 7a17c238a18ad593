import { type CampaignStatus, findCampaign, updateCampaign } from '../../../store/campaigns.ts';
import { makeScope } from '../../../store/engine/scope.ts';
import type { Person } from '../callers/people.ts';
import type { TestServer } from '../server/server.ts';

/** Puts a campaign into a status that no tool leads to yet. */
export async function putStatus(
  server: TestServer,
  buyer: Person,
  { campaignId, status }: { campaignId: string; status: CampaignStatus },
): Promise<void> {
  const { organizationId, accounts } = buyer;
  const scope = makeScope({ organizationId, customerId: accounts.BUYER ?? 0 });
  const row = await findCampaign(server.store.db, scope, campaignId);
  if (row === undefined) throw new Error(`There is no campaign ${campaignId}.`);
  const { id, version } = row;
  await updateCampaign(server.store.db, scope, { id, version, set: { status } });
}
