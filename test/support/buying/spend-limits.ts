import { setSpendLimit } from '../../../tools/domain/approvals/limits.ts';
import type { Person } from '../callers/people.ts';
import { done, draftCampaign } from '../sellers/market.ts';
import type { TestServer } from '../server/server.ts';

/** Says from how many USD on a spend waits for another person, as the operator does; without an amount from none. */
export function limitSpend(
  { operator }: Pick<TestServer, 'operator'>,
  { organizationId }: Person,
  limit?: number,
): Promise<void> {
  const limitMinor = limit === undefined ? undefined : limit * 100;
  return setSpendLimit(operator, { organizationId, currency: 'USD', limitMinor });
}

/** A spend that waits: a draft of its own, executed above a limit that does not hold any longer. */
export async function waitingSpend(
  server: TestServer,
  buyer: Person,
  draft: { readonly advertiserId: string; readonly storefrontIds?: readonly string[] },
): Promise<{ campaignId: string; approvalId: string }> {
  const { campaignId } = await draftCampaign(buyer, draft);
  await limitSpend(server, buyer, 50);
  const { approval } = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  await limitSpend(server, buyer);
  return { campaignId, approvalId: approval.approvalId };
}
