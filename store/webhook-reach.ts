import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely';
import type { Database } from './engine/database.ts';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';
import { skipInSteps } from './skipped-deliveries.ts';

const KEY_PREFIX = 'api_key:';
const USER_PREFIX = 'user:';

type OfSubscription = ExpressionBuilder<Database, 'webhook_subscriptions'>;

/** The grants of whoever made a subscription: it carries their reach, as it is when an event happens. */
export function grantsOfMaker(eb: OfSubscription) {
  return eb
    .selectFrom('grants')
    .select('grants.id')
    .whereRef('grants.organization_id', '=', 'webhook_subscriptions.organization_id')
    .whereRef('grants.holder', '=', 'webhook_subscriptions.holder');
}

/** The holder's key, while it is live. Whatever else grants may narrow has to say here when it is live. */
function liveKey(eb: OfSubscription, now: string) {
  return eb
    .selectFrom('api_keys')
    .select('api_keys.id')
    .whereRef('api_keys.organization_id', '=', 'webhook_subscriptions.organization_id')
    .where(
      'api_keys.id',
      '=',
      eb.fn<string>('substr', ['webhook_subscriptions.holder', eb.lit(KEY_PREFIX.length + 1)]),
    )
    .where('api_keys.revoked_at', 'is', null)
    .where(({ eb: on, or }) =>
      or([on('api_keys.expires_at', 'is', null), on('api_keys.expires_at', '>', now)]),
    );
}

/** The person that a holder is; null where it is none. */
function userOf(eb: OfSubscription) {
  const holder = eb.ref('webhook_subscriptions.holder');
  return sql<number>`case when ${holder} like ${sql.lit(`${USER_PREFIX}%`)}
    then cast(substr(${holder}, ${sql.lit(USER_PREFIX.length + 1)}) as bigint) end`;
}

/** The holder as a person of the organization who is not suspended. */
function livePerson(eb: OfSubscription) {
  return eb
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.user_id')
    .whereRef('memberships.organization_id', '=', 'webhook_subscriptions.organization_id')
    .where('users.suspended_at', 'is', null)
    .where('memberships.user_id', '=', userOf(eb));
}

function sandboxAdvertiser(eb: OfSubscription, advertiserId: number) {
  return eb
    .selectFrom('advertisers')
    .select('advertisers.id')
    .whereRef('advertisers.organization_id', '=', 'webhook_subscriptions.organization_id')
    .where('advertisers.id', '=', advertiserId)
    .where('advertisers.sandbox', '=', 1);
}

/** Whether a subscription reaches the advertiser of an event. */
export function reachesAdvertiser({
  advertiser_id,
  created_at,
}: {
  advertiser_id: number;
  created_at: string;
}) {
  return (eb: OfSubscription) => {
    const granted = grantsOfMaker(eb).where(({ and, eb: on, or, ref }) =>
      or([
        on('grants.advertiser_id', '=', advertiser_id),
        and([
          on('grants.advertiser_id', 'is', null),
          on('grants.customer_id', '=', ref('webhook_subscriptions.customer_id')),
        ]),
      ]),
    );
    return eb.and([
      eb.or([
        eb.not(eb.exists(grantsOfMaker(eb))),
        eb.and([eb.exists(granted), eb.or([eb.exists(liveKey(eb, created_at)), eb.exists(livePerson(eb))])]),
      ]),
      eb.or([eb('webhook_subscriptions.sandbox', '=', 0), eb.exists(sandboxAdvertiser(eb, advertiser_id))]),
    ]);
  };
}

/** A key or a person: whose grants narrow what they made, themselves or with a token that acts for them. */
export interface Holding {
  readonly holder: string;
  readonly now: string;
}

/** What a holder's grants, of which there are some, do not reach is not sent to its subscriptions any more. */
export function skipBeyondGrants(db: Db, tenant: Tenant, { holder, now }: Holding): Promise<void> {
  const due = (limit: number) => beyondGrants(db, tenant, holder).limit(limit).execute();
  return skipInSteps(db, tenant, { outcome: 'beyond_grants', now, due });
}

/** What waits for subscriptions of a holder and is beyond its grants. */
function beyondGrants(db: Db, tenant: Tenant, holder: string) {
  return db
    .selectFrom('webhook_deliveries')
    .select('id')
    .$call(inOrganization(tenant))
    .where('state', '=', 'pending')
    .where('subscription_id', 'in', (eb) =>
      eb
        .selectFrom('webhook_subscriptions')
        .select('webhook_subscriptions.id')
        .$call(inOrganization(tenant))
        .where('holder', '=', holder),
    )
    .where(({ and, eb, or }) =>
      or([
        and([eb('event', 'is', null), eb('session_id', 'not in', grantedSessions(db, tenant, holder))]),
        and([eb('event', 'is not', null), eb('event', 'not in', grantedEvents(db, tenant, holder))]),
      ]),
    );
}

function grantedSessions(db: Db, tenant: Tenant, holder: string) {
  return db
    .selectFrom('discovery_sessions')
    .innerJoin('grants', 'grants.organization_id', 'discovery_sessions.organization_id')
    .select('discovery_sessions.id')
    .where('discovery_sessions.organization_id', '=', tenant.organizationId)
    .where('grants.holder', '=', holder)
    .where(isGranted('discovery_sessions'));
}

function grantedEvents(db: Db, tenant: Tenant, holder: string) {
  return db
    .selectFrom('account_events')
    .innerJoin('grants', 'grants.organization_id', 'account_events.organization_id')
    .select('account_events.sequence')
    .where('account_events.organization_id', '=', tenant.organizationId)
    .where('grants.holder', '=', holder)
    .where(isGranted('account_events'));
}

/** Of a row at hand: the grant names its advertiser, or the whole account it is of. */
function isGranted(table: 'discovery_sessions' | 'account_events') {
  const { and, eb, or, ref } = expressionBuilder<
    Database,
    'grants' | 'discovery_sessions' | 'account_events'
  >();
  return or([
    eb('grants.advertiser_id', '=', ref(`${table}.advertiser_id`)),
    and([eb('grants.advertiser_id', 'is', null), eb('grants.customer_id', '=', ref(`${table}.customer_id`))]),
  ]);
}
