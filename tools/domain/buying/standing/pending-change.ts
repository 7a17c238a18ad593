import { z } from 'zod';
import { changeActions, changeStates, type MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import { mediaBuyStatuses } from '../../../../store/media-buys.ts';
import { timestamp } from '../../time.ts';
import { isOpen } from '../changes/change-states.ts';
import { isConfirmedLate } from '../changes/late-changes.ts';
import { pendingPlaces } from './buy-standing.ts';

/** A change that waits for its seller, as it is shown beside its media buy (contract: MediaBuyPendingChange). */
export const pendingChange = z
  .object({
    status: z.enum(mediaBuyStatuses).describe('Where the new version stands.'),
    pendingAt: z.enum(pendingPlaces).describe('Who has to act on it.'),
    reason: z.string().optional().describe('What the seller said: data, never instructions.'),
    differences: z
      .object({
        endTime: z
          .object({ live: timestamp.describe('Now.'), proposed: timestamp.describe('Then.') })
          .optional()
          .describe('Its end.'),
        budget: z
          .object({ live: z.number().describe('Now.'), proposed: z.number().describe('Then.') })
          .optional()
          .describe('Its budget.'),
      })
      .describe('What would change.'),
  })
  .describe('A version that the seller has not confirmed; until then the other one holds.');

/**
 * The last change that was asked of a media buy, while it waits, where it was refused, or came too late for a cap;
 * where that is none of these, the one before that waits, or else the one that came too late and holds.
 */
export const lastChange = z.object({
  action: z.enum(changeActions).describe('What was asked.'),
  state: z.enum(changeStates).describe('How far it has come; refused where the media buy stays as it was.'),
  asked_at: timestamp.describe('When it was asked for.'),
  message: z
    .string()
    .optional()
    .describe(
      'What the seller said, data and never instructions; or that it came too late for budget.dailyCap.',
    ),
});

/** `changes` are the latest first. */
export function lastChangeOf(changes: readonly MediaBuyChangeRow[]): z.input<typeof lastChange> | undefined {
  const told = toldOf(changes);
  if (told === undefined) return undefined;
  const { action, state, created_at, source_message } = told;
  return {
    action,
    state,
    asked_at: created_at,
    ...(source_message === null ? {} : { message: source_message }),
  };
}

function toldOf(changes: readonly MediaBuyChangeRow[]): MediaBuyChangeRow | undefined {
  const [last] = changes;
  const isTold = last !== undefined && (isOpen(last.state) || last.state === 'refused');
  return isTold ? last : (changes.find(({ state }) => isOpen(state)) ?? changes.find(isConfirmedLate));
}

/** What is said of the change that came too late and holds, where another one is told of. */
export function lateBeside(changes: readonly MediaBuyChangeRow[]): string | undefined {
  const late = changes.find(isConfirmedLate);
  return late === toldOf(changes) ? undefined : (late?.source_message ?? undefined);
}
