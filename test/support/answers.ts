import type { AuditLogRow } from '../../store/audit-log.ts';
import type { Reply } from './client.ts';
import type { Person } from './people.ts';
import { wordsOf } from './refusal-words.ts';
import type { TestServer } from './server.ts';

/**
 * What a refusal says to a machine: `{ status, code }`, once its envelope is seen to be whole and its words to
 * help a reader; `wordsOf` gives those.
 */
export function refusalOf(reply: Reply): { status: number; code: string } {
  const { status, body } = reply;
  if (body.data !== null) throw new Error(`Not a refusal: ${JSON.stringify(body)}`);
  wordsOf(reply);
  return { status, code: body.error.code };
}

/** The paths of the problems that a VALIDATION_ERROR names, its message too, in order of the alphabet. */
export function pathsOf(reply: Reply): string[] {
  return wordsOf(reply)
    .issues.map(({ path }) => path)
    .sort();
}

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
