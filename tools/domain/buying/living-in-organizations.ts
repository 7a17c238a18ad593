import type { Db } from '../../../store/engine/db.ts';
import {
  countLivingIn,
  findCampaignIn,
  type LivingCampaign,
  type LivingOrganization,
  listLivingIn,
  listSuspendedLiving,
} from '../../../store/unscoped/living-campaigns.ts';
import { listBelow } from '../../../store/unscoped/organization-tree.ts';
import { openStatuses } from './machines.ts';

/** What organizations have at sellers, which goes on whether or not anybody may call for them. */

const AT_ONCE = 100;
const FIRST = '';

/** The campaigns of an organization and the accounts below it that live at sellers, the oldest first. */
export async function* livingCampaigns(db: Db, organizationId: number): AsyncIterable<LivingCampaign> {
  const organizationIds = await listBelow(db, organizationId);
  let after = FIRST;
  while (true) {
    const wanted = { organizationIds, open: openStatuses, after, limit: AT_ONCE };
    const rows = await listLivingIn(db, wanted);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.id;
  }
}

/** One of the campaigns of an organization and the accounts below it, wherever it stands. */
export async function campaignIn(db: Db, organizationId: number, id: string) {
  return findCampaignIn(db, { organizationIds: await listBelow(db, organizationId), id });
}

/** How many of them there are, those of sandboxes aside: they cost nothing. */
export async function countLiving(db: Db, organizationId: number): Promise<number> {
  return countLivingIn(db, { organizationIds: await listBelow(db, organizationId), open: openStatuses });
}

/** The suspended organizations that spend all the same. */
export function suspendedAndLiving(db: Db, limit: number): Promise<LivingOrganization[]> {
  return listSuspendedLiving(db, { open: openStatuses, limit });
}
