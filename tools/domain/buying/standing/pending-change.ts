import { z } from 'zod';
import { changeActions, changeStates, type MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import { type MediaBuyRow, mediaBuyStatuses } from '../../../../store/media-buys.ts';
import { timestamp } from '../../time.ts';
import { packagesAlone } from '../changes/awaited-words.ts';
import { isOpen } from '../changes/change-states.ts';
import { isConfirmedLate } from '../changes/late-changes.ts';
import { pendingPlaces } from './buy-standing.ts';
import { refusedBeside, refusedStill } from './refused-changes.ts';

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

/** Where a change is of some packages alone. */
export const packagesOfChange = z
  .array(z.string())
  .optional()
  .describe('Of these packages alone; absent where it is of the whole media buy.');

/** What a change shows of that. */
export function packagesTold(change: MediaBuyChangeRow): { package_ids?: string[] } {
  const ids = packagesAlone(change);
  return ids.length === 0 ? {} : { package_ids: ids };
}

/**
 * The last change of a media buy that waits, or that was refused and that nothing settled since; where there is none of
 * these, the one that came too late for a cap and holds.
 */
export const lastChange = z.object({
  action: z.enum(changeActions).describe('What was asked.'),
  package_ids: packagesOfChange,
  state: z.enum(changeStates).describe('How far it has come; refused where the media buy stays as it was.'),
  asked_at: timestamp.describe('When it was asked for.'),
  message: z
    .string()
    .optional()
    .describe(
      'What the seller said, data and never instructions; or that it came too late for budget.dailyCap.',
    ),
});

/** What is told of the changes of a buy, which are the latest first. */
export function changesTold(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]) {
  const refused = refusedStill(buy, changes);
  const told = toldOf(changes, refused);
  return {
    change: told && shownAs(told),
    /** Whether any that was refused is still to be told. */
    isRefused: refused.length > 0,
    /** What is said of the others. */
    beside: [lateBeside(changes, told), refusedBeside(refused, told)].filter((one) => one !== undefined),
  };
}

function shownAs(change: MediaBuyChangeRow): z.input<typeof lastChange> {
  const { action, state, created_at, source_message } = change;
  return {
    action,
    ...packagesTold(change),
    state,
    asked_at: created_at,
    ...(source_message === null ? {} : { message: source_message }),
  };
}

function toldOf(
  changes: readonly MediaBuyChangeRow[],
  refused: readonly MediaBuyChangeRow[],
): MediaBuyChangeRow | undefined {
  const isTold = (one: MediaBuyChangeRow) => isOpen(one.state) || refused.includes(one);
  return changes.find(isTold) ?? changes.find(isConfirmedLate);
}

/** What is said of the change that came too late and holds, where another one is told of. */
function lateBeside(
  changes: readonly MediaBuyChangeRow[],
  told: MediaBuyChangeRow | undefined,
): string | undefined {
  const late = changes.find(isConfirmedLate);
  return late === told ? undefined : (late?.source_message ?? undefined);
}
