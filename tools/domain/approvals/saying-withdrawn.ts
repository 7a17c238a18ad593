import { findSpendApproval, listUndecided } from '../../../store/spend-approvals.ts';
import type { Context } from '../../core/context.ts';

/** Does the work, and says which approvals of its campaign were withdrawn with it. */
export async function sayingWithdrawn<T>(
  { db, scope }: Context,
  campaignId: string,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly withdrawn: readonly string[] }> {
  const waiting = await listUndecided(db, scope, campaignId);
  const done = await work();
  const withdrawn: string[] = [];
  for (const { id } of waiting) {
    const row = await findSpendApproval(db, scope, id);
    if (row?.state === 'withdrawn') withdrawn.push(id);
  }
  return { done, withdrawn: withdrawn.length === 0 ? [] : [inPlaceOf(withdrawn)] };
}

function inPlaceOf(ids: readonly string[]): string {
  const were = ids.length === 1 ? 'was' : 'were';
  return `It takes the place of ${ids.join(', ')}, which waited for another person and ${were} withdrawn.`;
}
