import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Forgetting ways in that were over long ago, a little at a time. Each gives whether there may be more. */

/** Rows of a step. */
const ROWS = 500;

/** Invitations whose time was over before this, whatever became of them. Served by `invitations_by_end`. */
export async function forgetInvitations(db: Db, before: string): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('invitations')
    .where('id', 'in', (eb) =>
      eb.selectFrom('invitations').select('id').where('expires_at', '<', before).limit(ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Service tokens whose time was over before this, archived or not. Looked for first: a statement that deletes has
 * every process told that access changed, also where it finds nothing. Served by `service_tokens_by_end`.
 */
export async function forgetServiceTokens(db: Db, before: string): Promise<boolean> {
  const ended = await unscoped(db)
    .selectFrom('service_tokens')
    .select('id')
    .where('expires_at', '<', before)
    .limit(ROWS)
    .execute();
  if (ended.length === 0) return false;
  const ids = ended.map(({ id }) => id);
  await unscoped(db).deleteFrom('service_tokens').where('id', 'in', ids).execute();
  return true;
}

/**
 * Join links that were disabled before this, and that nobody came by: of a buyer it stays known how it came. Served by
 * `join_links_by_end`.
 */
export async function forgetJoinLinks(db: Db, before: string): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('join_links')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('join_links')
        .select('join_links.id')
        .where('join_links.revoked_at', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('sponsorships')
                .select('sponsorships.organization_id')
                .whereRef('sponsorships.join_link_id', '=', 'join_links.id'),
            ),
          ),
        )
        .limit(ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Requests to join that were approved before this. Declined ones stay for good: they keep a person from being let in
 * by the domain of the address. Served by `join_requests_by_decision`.
 */
export async function forgetJoinRequests(db: Db, before: string): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('join_requests')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('join_requests')
        .select('id')
        .where('status', '=', 'approved')
        .where('decided_at', '<', before)
        .limit(ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Requests for a preview from before this, their place on the launch list with them. Served by
 * `preview_requests_by_time`.
 */
export async function forgetPreviewRequests(db: Db, before: string): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('preview_requests')
    .where('id', 'in', (eb) =>
      eb.selectFrom('preview_requests').select('id').where('created_at', '<', before).limit(ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
