import type { AuditLogRow } from '../../../store/audit-log.ts';
import type { TestServer } from '../server/server.ts';
import type { Person } from './people.ts';

/** What the audit log holds of an organization's calls of a tool, newest first, straight from its table. */
export function auditOf(
  { store }: TestServer,
  { organizationId }: Pick<Person, 'organizationId'>,
  tool: string,
): Promise<AuditLogRow[]> {
  return store.db
    .selectFrom('audit_logs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('tool', '=', tool)
    .orderBy('id', 'desc')
    .execute();
}
