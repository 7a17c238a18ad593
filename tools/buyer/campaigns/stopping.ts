import { z } from 'zod';
import type { CampaignRow } from '../../../store/campaigns.ts';
import { needs } from '../../core/access.ts';
import type { Definition } from '../../core/define.ts';
import { reasonText } from '../../core/reasons.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { type Cascade, cascade } from './cascade.ts';
import { cascadeOutput, cascadeRecord } from './cascade-record.ts';

const asked = (reasonIs: string) =>
  z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    reason: reasonText.optional().describe(reasonIs),
  });

export interface Stopping extends Omit<Cascade, 'reason'> {
  readonly title: string;
  readonly description: string;
  /** Who is told the reason. */
  readonly reasonIs: string;
}

/** A capability that stops a campaign or lets it go on, with all its media buys: named and addressed by its event. */
export function stopping({
  title,
  description,
  reasonIs,
  ...what
}: Stopping): Definition<ReturnType<typeof asked>, typeof cascadeOutput, CampaignRow> {
  return {
    name: `campaign_${what.event}`,
    title,
    example: { campaignId: 'cmp_example' },
    description,
    effect: 'act',
    audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
    openWorld: true,
    access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
    rest: { method: 'POST', path: `/campaigns/{campaignId}/${what.event}` },
    input: asked(reasonIs),
    output: cascadeOutput,
    errors: ['NOT_FOUND', 'CONFLICT', 'CAPABILITY_NOT_SUPPORTED', 'VERSION_UNSUPPORTED'],
    find: (ctx, { campaignId }) => reachCurrentCampaign(ctx, campaignId),
    handler: async (ctx, { reason }, campaign) =>
      cascadeRecord(campaign, await cascade(ctx, campaign, { ...what, reason })),
  };
}
