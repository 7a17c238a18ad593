import { joinRequestStates } from '../../../store/domains.ts';
import { leading, type Machine, next } from '../../core/machines.ts';

type JoinRequestStatus = (typeof joinRequestStates)[number];

const BEGINS: JoinRequestStatus = 'pending';

/** The life of a request to be let in: one a person and organization. It begins as if it were asked again. */
export const joinRequestMachine: Machine<JoinRequestStatus, 'approve' | 'decline' | 'takeOut' | 'askAgain'> =
  {
    of: 'join request',
    states: joinRequestStates,
    events: {
      approve: { meaning: 'An administrator lets the person in, as MEMBER.', leads: { pending: 'approved' } },
      decline: { meaning: 'An administrator does not.', leads: { pending: 'declined' } },
      takeOut: {
        meaning:
          'The person is taken out of the organization, or of one above it: no domain lets them in again.',
        leads: leading(joinRequestStates, 'declined'),
      },
      askAgain: {
        meaning: 'The person asks once more, and an administrator decides.',
        leads: leading(joinRequestStates, 'pending'),
      },
    },
  };

/** Where a request stands after what happens to it wherever it stood, and whether there was one or not. */
export function standingAfter(
  event: 'takeOut' | 'askAgain',
  before: JoinRequestStatus | undefined,
): JoinRequestStatus {
  const from = before ?? BEGINS;
  return next(joinRequestMachine, from, event) ?? from;
}
