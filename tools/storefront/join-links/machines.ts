import { sponsorshipStates } from '../../../store/join-links.ts';
import { leading, type Machine } from '../../core/machines.ts';

/** The life of a buyer that came by a join link. How it begins, the policy of the link says. */
export const sponsorshipMachine: Machine<
  (typeof sponsorshipStates)[number],
  'approve' | 'suspend' | 'reactivate'
> = {
  of: 'sponsored buyer',
  states: sponsorshipStates,
  events: {
    approve: { meaning: 'Its seller lets it in.', leads: { pending: 'active' } },
    suspend: {
      meaning: 'Its seller stops it, or does not let it in: what runs goes on.',
      leads: leading(['pending', 'active'], 'suspended'),
    },
    reactivate: { meaning: 'Its seller lets it go on.', leads: { suspended: 'active' } },
  },
};
