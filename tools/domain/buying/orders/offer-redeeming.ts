import type { CampaignRow } from '../../../../store/campaigns.ts';
import { type DiscoverySessionRow, findSession } from '../../../../store/discovery-sessions.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { isRedeemable, redeemProposal } from '../../../../store/unscoped/storefront-proposals.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { openedWith } from '../../discovery-opening.ts';
import type { Sending } from './order-storing.ts';

/** What a session was opened with by a code, where its campaign cannot take that up any more. */
export async function offerGone(
  db: Db,
  { scope, now }: Pick<Context, 'scope' | 'now'>,
  {
    campaign,
    session,
  }: { readonly campaign: CampaignRow; readonly session: Pick<DiscoverySessionRow, 'request'> },
): Promise<AppError | undefined> {
  const { offerId: id } = openedWith(session);
  if (id === undefined) return undefined;
  const open = await isRedeemable(db, scope, { id, campaignId: campaign.id, now });
  return open ? undefined : takenUp();
}

/** Has the campaign take up what a seller offered by a code, if its session is of one: once, in this transaction. */
export async function takeUpOffer(
  tx: Db,
  ctx: Context,
  { campaign, sending }: { readonly campaign: CampaignRow; readonly sending: readonly Sending[] },
): Promise<void> {
  const [first] = sending;
  if (campaign.discovery_id === null || first === undefined) return;
  const session = await findSession(tx, ctx.scope, campaign.discovery_id);
  const { offerId: id } = session === undefined ? {} : openedWith(session);
  if (id === undefined) return;
  const redemption = { id, campaignId: campaign.id, mediaBuyId: first.buy.id, now: ctx.now };
  if (await redeemProposal(tx, ctx.scope, redemption)) return;
  throw takenUp();
}

function takenUp(): AppError {
  return conflict(
    'The proposal that this campaign was made of was taken up elsewhere, revoked, or has expired.',
    'Ask its seller for another code, or create a campaign from another discovery: discover_products begins one.',
  );
}
