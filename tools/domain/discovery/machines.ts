import { sessionStatuses } from '../../../store/discovery-sessions.ts';
import type { Machine } from '../../core/machines.ts';

/** The life of a discovery session (decisions, Discovery). */
export const sessionMachine: Machine<
  (typeof sessionStatuses)[number],
  'landed' | 'landedLast' | 'abandoned' | 'askedAgain'
> = {
  of: 'discovery session',
  states: sessionStatuses,
  events: {
    landed: {
      meaning: 'Sellers have settled, and others are still asked.',
      leads: { collecting: 'collecting' },
    },
    landedLast: { meaning: 'The last seller has settled.', leads: { collecting: 'complete' } },
    abandoned: {
      meaning: 'The process that collected is gone, and those it still asked will not answer.',
      leads: { collecting: 'complete' },
    },
    askedAgain: {
      meaning: 'Its sellers are to change what they brought, or it has become too old.',
      leads: { complete: 'collecting' },
    },
  },
};
