import type { CampaignRow } from '../../../store/campaigns.ts';

/** What of a campaign can be corrected: all while it is made or a draft, what is chosen for it afterwards. */
export type Stage = 'new' | 'draft' | 'running';

export function stageOf({ status }: Partial<Pick<CampaignRow, 'status'>>): Stage {
  return status === 'DRAFT' ? 'draft' : 'running';
}

const OTHER_TERMS: Readonly<Record<Stage, (field: string) => string>> = {
  new: (field) => `Give other ${field}, or `,
  draft: (field) => `Change ${field} with campaign_update, or `,
  running: () => '',
};

const DROP: Readonly<Record<Stage, string>> = {
  new: 'leave the product out: discovery_remove_products drops one that was chosen before',
  draft: 'drop the product with discovery_remove_products',
  running: 'drop the product with discovery_remove_products',
};

/** What to do about a product that the terms of a campaign keep out. */
export function otherTermsOrDrop(stage: Stage, field: string): string {
  return sentence(`${OTHER_TERMS[stage](field)}${DROP[stage]}`);
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
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}, and repeat the call.`;
}
