import type { Step } from './step.ts';

const logged = { type: 'MEDIA_BUY', id: 'mediaBuyId', ofAdvertiser: true } as const;

export const steps: readonly Step[] = [
  {
    tool: 'media_buy_get',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ media_buy_id: made('mediaBuyId'), detail: 'full' }),
    names: { media_buy_id: 'advertiser' },
  },
  {
    tool: 'media_buy_get_packages',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ media_buy_id: made('mediaBuyId') }),
    names: { media_buy_id: 'advertiser' },
  },
  {
    tool: 'media_buy_update',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({
      media_buy_id: made('mediaBuyId'),
      name: 'Winter, north',
      start_time: '2026-12-10T00:00:00.000Z',
      end_time: '2026-12-31T00:00:00.000Z',
      reason: 'Told apart from the south.',
      suggestion_id: 'sug_1',
    }),
    names: { media_buy_id: 'advertiser', suggestion_id: 'new' },
    logged: { ...logged, called: 'Winter – Shelf' },
  },
  {
    tool: 'media_buy_pause',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({ media_buy_id: made('mediaBuyId'), reason: 'Out of stock.' }),
    after: ['media_buy_update'],
    names: { media_buy_id: 'advertiser' },
    logged: { ...logged, called: 'Winter, north' },
    alsoLogged: ['MEDIA_BUY'],
  },
  {
    tool: 'media_buy_reactivate',
    by: 'buyer',
    needs: 'buyer:write',
    within: ['grants', 'sandbox'],
    args: (made) => ({ media_buy_id: made('mediaBuyId'), reason: 'In stock again.' }),
    after: ['media_buy_pause'],
    names: { media_buy_id: 'advertiser' },
    logged: { ...logged, called: 'Winter, north' },
    alsoLogged: ['MEDIA_BUY'],
  },
];
