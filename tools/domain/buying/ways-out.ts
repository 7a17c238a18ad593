import type { CampaignRow } from '../../../store/campaigns.ts';
import { capitalised } from '../../core/schemas/sentences.ts';

/** What of a campaign can be corrected: all while it is made or a draft, what is chosen for it afterwards. */
export type Stage = 'new' | 'draft' | 'running' | Exclude<Naming, 'kept'>;

export function stageOf({ status }: Partial<Pick<CampaignRow, 'status'>>, naming: Naming = 'kept'): Stage {
  if (naming !== 'kept') return naming;
  return status === 'DRAFT' ? 'draft' : 'running';
}

/**
 * Where a caller has named what is chosen and what the campaign has: it is kept by now, or stands in the batch that
 * orders it, for a draft or for a campaign that is made with it.
 */
export type Naming = 'kept' | 'batch' | 'new batch';

interface Places {
  /** Where products are given budgets. */
  readonly budgets: string;
  /** Where the campaign has its terms. */
  readonly terms: string;
  /** How products are dropped. */
  drop(them: string): string;
}

const inBatch: Omit<Places, 'terms'> = {
  budgets: 'in selections (budget, or totalBudget of a proposal)',
  drop: (them) => `leave ${them} out (replace true leaves out what was chosen before)`,
};

export const PLACES: Readonly<Record<Naming, Places>> = {
  kept: {
    budgets: 'with discovery_add_products',
    terms: 'with campaign_update',
    drop: (them) => `drop ${them} with discovery_remove_products`,
  },
  batch: { ...inBatch, terms: 'with campaign_update' },
  'new batch': { ...inBatch, terms: 'in campaign.create' },
};

const inCall = (field: string) => `Give other ${field}, or `;
const inDraft = (field: string) => `Change ${field} with campaign_update, or `;

const OTHER_TERMS: Readonly<Record<Stage, (field: string) => string>> = {
  new: inCall,
  'new batch': inCall,
  draft: inDraft,
  batch: inDraft,
  running: () => '',
};

const DROP: Readonly<Record<Stage, string>> = {
  new: 'leave the product out: discovery_remove_products drops one that was chosen before',
  draft: 'drop the product with discovery_remove_products',
  running: 'drop the product with discovery_remove_products',
  batch: inBatch.drop('the product'),
  'new batch': inBatch.drop('the product'),
};

/** What to do about a product that the terms of a campaign keep out. */
export function otherTermsOrDrop(stage: Stage, field: string): string {
  return sentence(`${OTHER_TERMS[stage](field)}${DROP[stage]}`);
}

/** What to do about a product whose seller keeps no sandbox accounts: an advertiser stays what it is. */
export function otherSellerOrAdvertiser(stage: Stage): string {
  const here = sentence(`choose products of another seller: ${DROP[stage]}`);
  return `${here} An advertiser that is no sandbox can buy there, with real money.`;
}

/** The same about the targeting of a product. */
export function otherTermsOrTargeting(stage: Stage): string {
  const again = 'choose the product again with another targetingOverlay';
  return sentence(`${OTHER_TERMS[stage]('constraints')}${again}`);
}

/** What to do about constraints that leave nobody by themselves. */
export function otherConstraints(stage: Stage): string {
  return stage === 'running'
    ? 'Cancel it with campaign_cancel, and create a campaign with other constraints.'
    : 'Change constraints with campaign_update, and repeat the call.';
}

/** Whoever was refused knows which call it was: it may be any that orders. */
function sentence(words: string): string {
  return `${capitalised(words)}, and repeat the call.`;
}

/** What is said of a media buy in place of any advice where the campaign is over. */
export const WITH_ITS_CAMPAIGN = 'Its campaign is over: nothing is to be done.';
