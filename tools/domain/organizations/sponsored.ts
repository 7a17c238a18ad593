import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { moveSponsorship } from '../../../store/join-links.ts';

/**
 * Moves a buyer on from one state to another for the seller that sponsors it, who has found it among its own.
 * False where it is in that state no more.
 */
export function moveSponsored(
  db: Db,
  buyerOrganizationId: number,
  move: Parameters<typeof moveSponsorship>[2],
): Promise<boolean> {
  return moveSponsorship(db, makeTenant(buyerOrganizationId), move);
}
