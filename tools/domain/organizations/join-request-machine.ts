import { joinRequestStates } from '../../../store/domains.ts';
import { leading, type Machine } from '../../core/machines.ts';

/** The life of a request to be let in: one a person and organization. */
export const joinRequestMachine: Machine<
  (typeof joinRequestStates)[number],
  'approve' | 'decline' | 'takeOut' | 'askAgain'
> = {
  of: 'join request',
  states: joinRequestStates,
  events: {
    approve: { meaning: 'An administrator lets the person in, as MEMBER.', leads: { pending: 'approved' } },
    decline: { meaning: 'An administrator does not.', leads: { pending: 'declined' } },
    takeOut: {
      meaning: 'The person is taken out of the organization whose domain would let them in again.',
      leads: leading(joinRequestStates, 'declined'),
    },
    askAgain: {
      meaning: 'The person asks once more, and an administrator decides.',
      leads: leading(joinRequestStates, 'pending'),
    },
  },
};
