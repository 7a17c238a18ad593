import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Forgetting what has been kept for long enough, whosever it is: a little at a time. */

/** Rows of a step. */
const ROWS = 500;
/** Entries of the audit log that a step looks at. */
const LOOKED_AT = 1_000;
/** Sessions whose removal begins in one step. */
const SESSIONS = 20;
/** Revisions of a step: each can be close to a megabyte. */
const REVISIONS = 3;

/**
 * Forgets the oldest entries of the audit log from before a time; gives their number. Only the first of the log are
 * looked at, more than a step takes: a clock that once was ahead must not keep those behind.
 */
export async function forgetAuditLogs(
  db: Db,
  { before, now }: { before: string; now: string },
): Promise<number> {
  const first = await unscoped(db)
    .selectFrom('audit_logs')
    .select('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  // Nearly always the first is too young, and nothing more is looked at.
  if (first === undefined || (first.created_at >= before && first.created_at <= now)) return 0;
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('audit_logs')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom(
          eb.selectFrom('audit_logs').select(['id', 'created_at']).orderBy('id').limit(LOOKED_AT).as('first'),
        )
        .select('first.id')
        .where('first.created_at', '<', before)
        .limit(ROWS),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Takes sessions that ended before a time out of sight, those that a campaign goes with left out: nobody finds
 * them from now on, so that nobody sees half of one.
 */
export async function removeSessions(
  db: Db,
  { before, now }: { before: string; now: string },
): Promise<number> {
  const { numUpdatedRows } = await unscoped(db)
    .updateTable('discovery_sessions')
    .set({ removed_at: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('discovery_sessions as old')
        .select('old.id')
        .where('old.removed_at', 'is', null)
        .where('old.completed_at', '<', before)
        .where('old.campaign_id', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('campaigns')
                .select('campaigns.id')
                .whereRef('campaigns.discovery_id', '=', 'old.id'),
            ),
          ),
        )
        .orderBy('old.completed_at')
        .limit(SESSIONS),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Brings sessions back that a campaign was made of while they were being taken out of sight. */
export async function bringBackAttached(db: Db): Promise<void> {
  await unscoped(db)
    .updateTable('discovery_sessions')
    .set({ removed_at: null })
    .where('removed_at', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('campaigns')
          .select('campaigns.id')
          .whereRef('campaigns.discovery_id', '=', 'discovery_sessions.id'),
      ),
    )
    .execute();
}

/** Deletes a part of a session that has been out of sight since before a time. False when there is none. */
export async function purgeRemoved(db: Db, since: string): Promise<boolean> {
  const session = await unscoped(db)
    .selectFrom('discovery_sessions')
    .select('id')
    .where('removed_at', '<', since)
    .orderBy('removed_at')
    .limit(1)
    .executeTakeFirst();
  if (session === undefined) return false;
  const { id } = session;
  if ((await deleteGroups(db, id)) > 0) return true;
  for (const part of [deleteRevisions, deleteAgents, deleteSelections, deleteProposals]) {
    if ((await part(db, id)) > 0n) return true;
  }
  await unscoped(db)
    .deleteFrom('discovery_sessions')
    .where('id', '=', id)
    .where('removed_at', 'is not', null)
    .execute();
  return true;
}

/** Groups with their products, as many as a step takes; at least one. */
async function deleteGroups(db: Db, id: string): Promise<number> {
  const found = await unscoped(db)
    .selectFrom('discovery_groups')
    .select(['group_id', 'product_count'])
    .where('session_id', '=', id)
    .limit(ROWS)
    .execute();
  let rows = 0;
  const groupIds = found.flatMap(({ group_id, product_count }, index) => {
    rows += product_count;
    return index === 0 || rows <= ROWS ? [group_id] : [];
  });
  if (groupIds.length === 0) return 0;
  for (const table of ['discovery_products', 'discovery_groups'] as const) {
    await unscoped(db)
      .deleteFrom(table)
      .where('session_id', '=', id)
      .where('group_id', 'in', groupIds)
      .execute();
  }
  return groupIds.length;
}

async function deleteRevisions(db: Db, id: string): Promise<bigint> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('discovery_revisions')
    .where('session_id', '=', id)
    .where('revision', 'in', (eb) =>
      eb.selectFrom('discovery_revisions').select('revision').where('session_id', '=', id).limit(REVISIONS),
    )
    .executeTakeFirst();
  return numDeletedRows;
}

async function deleteAgents(db: Db, id: string): Promise<bigint> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('discovery_agents')
    .where('session_id', '=', id)
    .where('agent_id', 'in', (eb) =>
      eb.selectFrom('discovery_agents').select('agent_id').where('session_id', '=', id).limit(ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows;
}

async function deleteSelections(db: Db, id: string): Promise<bigint> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('discovery_selections')
    .where('id', 'in', (eb) =>
      eb.selectFrom('discovery_selections').select('id').where('session_id', '=', id).limit(ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows;
}

async function deleteProposals(db: Db, id: string): Promise<bigint> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('discovery_proposals')
    .where('session_id', '=', id)
    .executeTakeFirst();
  return numDeletedRows;
}

/** Forgets links and sessions of browsers whose time was over before this; gives whether there may be more. */
export async function forgetSignIns(db: Db, before: string): Promise<boolean> {
  const links = await unscoped(db)
    .deleteFrom('one_use_links')
    .where('hash', 'in', (eb) =>
      eb.selectFrom('one_use_links').select('hash').where('expires_at', '<', before).limit(ROWS),
    )
    .executeTakeFirst();
  const sessions = await unscoped(db)
    .selectFrom('web_sessions')
    .select('id')
    .where('expires_at', '<', before)
    .limit(ROWS)
    .execute();
  // A statement that deletes has every process told that access changed, also where it finds nothing.
  if (sessions.length > 0) {
    const ids = sessions.map(({ id }) => id);
    await unscoped(db)
      .deleteFrom('web_sessions')
      .where('id', 'in', ids)
      .where('expires_at', '<', before)
      .execute();
  }
  return links.numDeletedRows > 0n || sessions.length > 0;
}
