import { proposalStatuses } from '../../../../store/storefront-proposals.ts';
import { leading, type Machine } from '../../../core/machines.ts';

/** The life of what a seller offers to one buyer by a code. */
export const proposalMachine: Machine<
  (typeof proposalStatuses)[number],
  'open' | 'redeem' | 'change' | 'extend' | 'revoke' | 'expire'
> = {
  of: 'proposal of a storefront',
  states: proposalStatuses,
  events: {
    open: { meaning: 'Its buyer discovers products by its code.', leads: { active: 'active' } },
    redeem: { meaning: 'A campaign of its buyer takes it up.', leads: { active: 'redeemed' } },
    change: {
      meaning: 'Its seller calls it something else, or writes notes.',
      leads: { active: 'active', expired: 'expired' },
    },
    extend: {
      meaning: 'Its seller says until when it can be taken up.',
      leads: leading(['active', 'expired'], 'active'),
    },
    revoke: { meaning: 'Its seller takes it back.', leads: leading(['active', 'expired'], 'revoked') },
    expire: { meaning: 'Nobody took it up in time.', leads: { active: 'expired' } },
  },
};
