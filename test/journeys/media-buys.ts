import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  {
    tool: 'media_buy_get',
    by: 'buyer',
    args: (made) => ({ media_buy_id: made('mediaBuyId') }),
    names: { media_buy_id: 'advertiser' },
  },
];
