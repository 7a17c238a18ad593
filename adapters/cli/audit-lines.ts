import { actorNameOf, namesOfActors } from '../../store/actors.ts';
import { type AuditLogRow, listOrganizationAuditLogs } from '../../store/audit-log.ts';
import { fromJson } from '../../store/engine/codec.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import {
  listDeedsOfAgents,
  listOperatorDeeds,
  type OperatorDeed,
} from '../../store/unscoped/operator-log.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { beginningOf } from '../../tools/core/text-beginning.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import { requireOrganization } from '../../tools/domain/organizations/operator-decisions.ts';

const AUDIT_SHOWN = 100;
const NONE = 'There are no entries yet.';
const OPERATOR = 'operator';

/**
 * What was done in an organization, newest first: also what concerns it as a whole and none of its accounts.
 * Without one: what the operator did, to the installation and to organizations.
 */
export async function auditList({ db }: Operator, organizationId?: number): Promise<string> {
  if (organizationId === undefined) return printed((await listOperatorDeeds(db, AUDIT_SHOWN)).map(deedLine));
  await requireOrganization({ db }, organizationId);
  const tenant = makeTenant(organizationId);
  const rows = await listOrganizationAuditLogs(db, tenant, AUDIT_SHOWN);
  const names = await namesOfActors(db, tenant, rows);
  return printed(rows.map((row) => lineOf(row, { who: whoDid(row, actorNameOf(row, names)) })));
}

/** What agents did that work in no organization yet, newest first. */
export async function agentList({ db }: Operator): Promise<string> {
  const rows = await listDeedsOfAgents(db, AUDIT_SHOWN);
  return printed(rows.map((row) => lineOf(row, { who: 'agent' })));
}

function printed(lines: readonly string[]): string {
  return lines.length === 0 ? NONE : lines.join('\n');
}

function deedLine(row: OperatorDeed): string {
  const whose = row.organization_id === null ? 'installation' : `organization ${row.organization_id}`;
  return lineOf(row, { whose: [whose], who: OPERATOR });
}

function whoDid({ surface, actor_origin, credential_id }: AuditLogRow, name: string | null): string {
  if (surface === OPERATOR) return OPERATOR;
  return name ?? credential_id ?? (actor_origin === 'system' ? 'the service' : 'nobody known');
}

/** When, what, of what, in words; then who, what was and is, and why. */
function lineOf(
  row: Omit<OperatorDeed, 'organization_id'>,
  { whose = [], who }: { readonly whose?: readonly string[]; readonly who: string },
): string {
  const { created_at, tool, outcome, resource_type, resource_id, description, changes, reason } = row;
  const said = [created_at, ...whose, tool, outcome, resource_type, resource_id ?? '', description, who];
  const changed = changes === null ? '' : inWords(fromJson(changes));
  return [...said, changed, reason ?? ''].map(onOneLine).join('\t').trimEnd();
}

function inWords(changes: Readonly<Record<string, unknown>>): string {
  return Object.entries(changes)
    .map(
      ([field, change]) => `${field}: ${isFields(change) && 'to' in change ? fromTo(change) : said(change)}`,
    )
    .join(', ');
}

function fromTo({ from, to }: Readonly<Record<string, unknown>>): string {
  return from === undefined ? said(to) : `${said(from)} → ${said(to)}`;
}

function said(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const TEXT_MAX = 500;

/** Words of callers and sellers are data: they move no cursor, begin no line and fill no screen. */
export function onOneLine(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length <= TEXT_MAX ? plain : `${beginningOf(plain, TEXT_MAX)}…`;
}
