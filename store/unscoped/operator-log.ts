import { sql } from 'kysely';
import type { AuditLogRow } from '../audit-log.ts';
import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** A deed of the operator, whosever it was about. */
export interface OperatorDeed {
  /** Null: the installation as a whole. */
  readonly organization_id: number | null;
  readonly tool: string;
  readonly outcome: string;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly description: string;
  readonly changes: AuditLogRow['changes'];
  /** Why, where the operator said it. */
  readonly reason: string | null;
  readonly created_at: string;
}

const COLUMNS = [
  'tool',
  'resource_type',
  'resource_id',
  'description',
  'changes',
  'reason',
  'created_at',
] as const;
/** Types of what agents do that work in no organization yet: as many as come, and none of it the operator's. */
const OF_AGENTS = ['AGENT', 'ACCESS_TOKEN'];

/** What agents did that work in no organization yet, the newest first. */
export function listDeedsOfAgents(db: Db, limit: number): Promise<OperatorDeed[]> {
  return ofInstallation(db, limit).where('resource_type', 'in', OF_AGENTS).execute();
}

function ofInstallation(db: Db, limit: number) {
  return unscoped(db)
    .selectFrom('installation_log')
    .select([...COLUMNS, sql<null>`null`.as('organization_id'), sql<string>`'succeeded'`.as('outcome')])
    .orderBy('id', 'desc')
    .limit(limit);
}

/** The operator's newest deeds: to the installation, and to organizations (`audit_logs_by_operator`). */
export async function listOperatorDeeds(db: Db, limit: number): Promise<OperatorDeed[]> {
  const own = await ofInstallation(db, limit).where('resource_type', 'not in', OF_AGENTS).execute();
  const others = await unscoped(db)
    .selectFrom('audit_logs')
    .select([...COLUMNS, 'organization_id', 'outcome'])
    // As it stands in the index: a value that is bound would not be known to be in it.
    .where('surface', '=', sql.lit('operator'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return [...own, ...others]
    .sort((one, other) =>
      one.created_at < other.created_at ? 1 : one.created_at > other.created_at ? -1 : 0,
    )
    .slice(0, limit);
}
