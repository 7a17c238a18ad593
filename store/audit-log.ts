import type { ExpressionBuilder, Generated, Selectable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Database } from './engine/database.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import { isOneOf } from './engine/pieces.ts';
import { prepared } from './engine/prepared.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inAccount, inOrganization, ofOrganization } from './engine/scoped.ts';

export const auditActions = ['CREATE', 'UPDATE', 'DELETE', 'ARCHIVE', 'EXECUTE'] as const;
export const auditOutcomes = ['succeeded', 'denied', 'failed'] as const;
export const actorOrigins = ['human', 'agent', 'autonomous', 'system'] as const;
export type AuditAction = (typeof auditActions)[number];

export interface AuditLogTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number | null;
  tool: string;
  surface: string;
  action: AuditAction;
  outcome: (typeof auditOutcomes)[number];
  error_code: string | null;
  /** The type of a kind of object, such as `CAMPAIGN`. */
  resource_type: string;
  resource_id: string | null;
  resource_name: string | null;
  parent_type: string | null;
  advertiser_id: number | null;
  user_id: number | null;
  /** Address and name of the person at that moment; null in entries of before they were kept. */
  user_email: string | null;
  user_name: string | null;
  /** The key or token that was used; never its value. */
  credential_id: string | null;
  /** What the key, application or token was called; null for a person at a browser. */
  credential_name: string | null;
  actor_origin: (typeof actorOrigins)[number];
  parameters: JsonText<Record<string, unknown>> | null;
  changes: JsonText<Record<string, unknown>> | null;
  description: string;
  /** Why it was done, in the words of whoever did it. */
  reason: string | null;
  request_id: string;
  ip: string | null;
  created_at: string;
}

export type AuditLogRow = Selectable<AuditLogTable>;

declare module './engine/database.ts' {
  interface Database {
    audit_logs: AuditLogTable;
  }
}

export interface AuditFilter {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly advertiserId?: number | undefined;
  readonly resourceTypes?: readonly string[] | undefined;
  readonly resourceId?: string | undefined;
  /** One object, told from those of other kinds that may have its id. */
  readonly about?: { readonly type: string; readonly id: string } | undefined;
  /** A campaign, its media buys and the spends that wait for it. */
  readonly campaignId?: string | undefined;
  /** The person who did it, by id or by the address of then. */
  readonly actorUserId?: number | undefined;
  readonly actorUserEmail?: string | undefined;
  readonly actions?: readonly AuditAction[] | undefined;
  readonly outcome?: AuditLogRow['outcome'] | undefined;
  readonly actorOrigin?: AuditLogRow['actor_origin'] | undefined;
}

const insertion = prepared((db, entry: Omit<AuditLogRow, 'id'>) => db.insertInto('audit_logs').values(entry));

/** Written in the transaction of the change it tells of, never changed afterwards. */
export async function insertAuditLog(
  db: Db,
  tenant: Tenant,
  entry: Omit<AuditLogRow, 'id' | 'organization_id'>,
): Promise<void> {
  await insertion.all(db, ofOrganization(tenant, entry));
}

/** The log of the account, newest first. Served by `audit_logs_by_customer`. */
export function listAuditLogs(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: AuditFilter; page: Page },
): Promise<Counted<AuditLogRow>> {
  const found = filtered(db, scope, filter);
  return counted(db, { asker: scope, rows: found.selectAll().orderBy('id', 'desc'), found }, page);
}

/** The newest entries of a whole organization, for the operator. Served by `audit_logs_by_customer`. */
export function listOrganizationAuditLogs(db: Db, tenant: Tenant, limit: number): Promise<AuditLogRow[]> {
  return db
    .selectFrom('audit_logs')
    .selectAll()
    .$call(inOrganization(tenant))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

function filtered(db: Db, scope: Scope, filter: AuditFilter) {
  const { startDate, endDate, advertiserId, resourceTypes, resourceId, actions, outcome, actorOrigin } =
    filter;
  const { about, campaignId, actorUserId, actorUserEmail } = filter;
  return db
    .selectFrom('audit_logs')
    .$call(inAccount(scope))
    .$if(scope.advertiserIds !== null, (q) =>
      q.where(isOneOf(db, 'advertiser_id', scope.advertiserIds ?? [])),
    )
    .$if(startDate !== undefined, (q) => q.where('created_at', '>=', startDate ?? ''))
    .$if(endDate !== undefined, (q) => q.where('created_at', '<=', endDate ?? ''))
    .$if(advertiserId !== undefined, (q) => q.where('advertiser_id', '=', advertiserId ?? 0))
    .$if(resourceTypes !== undefined, (q) => q.where('resource_type', 'in', resourceTypes ?? []))
    .$if(resourceId !== undefined, (q) => q.where('resource_id', '=', resourceId ?? ''))
    .$if(about !== undefined, (q) =>
      q.where('resource_type', '=', about?.type ?? '').where('resource_id', '=', about?.id ?? ''),
    )
    .$if(campaignId !== undefined, (q) => q.where(ofCampaign(scope, campaignId ?? '')))
    .$if(actorUserId !== undefined, (q) => q.where('user_id', '=', actorUserId ?? 0))
    .$if(actorUserEmail !== undefined, (q) => q.where(byPerson(scope, actorUserEmail ?? '')))
    .$if(actions !== undefined, (q) => q.where('action', 'in', actions ?? []))
    .$if(outcome !== undefined, (q) => q.where('outcome', '=', outcome ?? 'succeeded'))
    .$if(actorOrigin !== undefined, (q) => q.where('actor_origin', '=', actorOrigin ?? 'agent'));
}

type Entries = ExpressionBuilder<Database, 'audit_logs'>;

/** Served by `audit_logs_by_resource`. */
function ofCampaign({ organizationId }: Scope, campaignId: string) {
  return (eb: Entries) => {
    const parts = (table: 'media_buys' | 'spend_approvals') =>
      eb
        .selectFrom(table)
        .select(`${table}.id`)
        .where(`${table}.organization_id`, '=', organizationId)
        .where(`${table}.campaign_id`, '=', campaignId);
    const about = (type: string) => eb('resource_type', '=', type);
    return eb.or([
      eb.and([about('CAMPAIGN'), eb('resource_id', '=', campaignId)]),
      eb.and([about('MEDIA_BUY'), eb('resource_id', 'in', parts('media_buys'))]),
      eb.and([about('SPEND_APPROVAL'), eb('resource_id', 'in', parts('spend_approvals'))]),
    ]);
  };
}

/** Entries of before addresses were kept go by the address that the member has now. */
function byPerson({ organizationId }: Scope, email: string) {
  return (eb: Entries) =>
    eb.or([
      eb('user_email', '=', email),
      eb.and([
        eb('user_email', 'is', null),
        eb(
          'user_id',
          'in',
          eb
            .selectFrom('memberships')
            .innerJoin('users', 'users.id', 'memberships.user_id')
            .select('users.id')
            .where('memberships.organization_id', '=', organizationId)
            .where('users.email', '=', email),
        ),
      ]),
    ]);
}
