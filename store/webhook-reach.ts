import type { ExpressionBuilder } from 'kysely';
import type { Database } from './engine/database.ts';

const KEY_PREFIX = 'api_key:';

type OfSubscription = ExpressionBuilder<Database, 'webhook_subscriptions'>;

/** The grants of whoever made a subscription: it carries their reach, as it is when an event happens. */
export function grantsOfMaker(eb: OfSubscription) {
  return eb
    .selectFrom('grants')
    .select('grants.id')
    .whereRef('grants.organization_id', '=', 'webhook_subscriptions.organization_id')
    .whereRef('grants.holder', '=', 'webhook_subscriptions.principal');
}

/** The maker's key, while it is live. Whatever else may make subscriptions has to say here when it is live. */
function liveKeyOfMaker(eb: OfSubscription, now: string) {
  return eb
    .selectFrom('api_keys')
    .select('api_keys.id')
    .whereRef('api_keys.organization_id', '=', 'webhook_subscriptions.organization_id')
    .where(
      'api_keys.id',
      '=',
      eb.fn<string>('substr', ['webhook_subscriptions.principal', eb.lit(KEY_PREFIX.length + 1)]),
    )
    .where('api_keys.revoked_at', 'is', null)
    .where(({ eb: on, or }) =>
      or([on('api_keys.expires_at', 'is', null), on('api_keys.expires_at', '>', now)]),
    );
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
        eb.and([eb.exists(granted), eb.exists(liveKeyOfMaker(eb, created_at))]),
      ]),
      eb.or([eb('webhook_subscriptions.sandbox', '=', 0), eb.exists(sandboxAdvertiser(eb, advertiser_id))]),
    ]);
  };
}
