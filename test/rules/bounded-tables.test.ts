import { describe, expect, test } from 'vitest';
import { settings, variableOf } from '../../adapters/settings/config.ts';
import { openStore } from '../../store/open.ts';
import { tablesOf } from '../support/database/tables.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/** What keeps a table from growing with what callers ask for: one of these, or several. */
interface Bound {
  /** Settings that say how many rows, or bytes, one tenant, caller or object may have. */
  readonly quota?: readonly string[];
  /** Settings that say for how long rows are kept; housekeeping deletes what is older. */
  readonly kept?: readonly string[];
  /** The table whose rows these belong to, and how many each has at the most. */
  readonly within?: readonly [table: string, most: string];
  /** Written by the operator or by the service itself, never because somebody asks. */
  readonly notByCallers?: true;
  /** Rows that stay for good, and why nothing else would do. */
  readonly forGood?: string;
  /** Deleted once it is over, by whom or when. */
  readonly until?: string;
}

const MONEY = 'what was bought, and who paid, is looked up for years; calls a minute bound how fast it grows';

const bounds: Readonly<Record<string, Bound>> = {
  account_events: { kept: ['EVENT_RETENTION_DAYS'] },
  admission_settings: { notByCallers: true },
  advertiser_accounts: { quota: ['ACCOUNT_LINKS_PER_ADVERTISER'] },
  advertisers: { quota: ['ADVERTISERS_PER_ACCOUNT'] },
  agent_claim_attempts: {
    within: ['agent_registrations', 'so many as AGENT_REQUESTS_PER_IP lets be asked for'],
    until: 'a day after its agent ended',
  },
  agent_refresh_tokens: {
    within: ['agent_registrations', 'one lives'],
    until: 'used and outgrown ones go in a minute',
  },
  agent_registrations: {
    quota: ['AGENT_ANONYMOUS_PER_IP', 'AGENT_REQUESTS_PER_IP'],
    until: 'a day after it ended',
  },
  api_keys: {
    quota: ['API_KEYS_PER_ORGANIZATION'],
    forGood: 'a revoked key stays known, so that its deeds have a name; people at browsers alone make them',
  },
  audit_logs: { kept: ['AUDIT_RETENTION_DAYS'] },
  audit_numbering: { notByCallers: true },
  brands: { quota: ['BRANDS_PER_ORGANIZATION'] },
  browser_origins: { quota: ['BROWSER_ORIGINS_PER_ORGANIZATION'] },
  campaigns: { within: ['advertisers', MONEY], forGood: MONEY },
  customers: { quota: ['ACCOUNTS_PER_ORGANIZATION'] },
  discovery_agents: { within: ['discovery_sessions', 'a row a seller'] },
  discovery_groups: { within: ['discovery_sessions', 'DISCOVERY_BYTES_PER_SESSION'] },
  discovery_products: { quota: ['DISCOVERY_PRODUCTS_PER_SESSION', 'DISCOVERY_BYTES_PER_ACCOUNT'] },
  discovery_proposals: { within: ['discovery_sessions', 'DISCOVERY_BYTES_PER_SESSION'] },
  discovery_revisions: { within: ['discovery_sessions', 'DISCOVERY_BYTES_PER_SESSION'] },
  discovery_selections: { quota: ['DISCOVERY_CHOICES_PER_SESSION'] },
  discovery_sessions: { quota: ['DISCOVERY_SESSIONS_STORED'], kept: ['DISCOVERY_RETENTION_DAYS'] },
  embedded_buys: { within: ['media_buys', 'one'] },
  embedded_products: { quota: ['PRODUCTS_PER_STOREFRONT'] },
  grants: { notByCallers: true },
  idempotency_keys: {
    quota: ['IDEMPOTENCY_KEYS_PER_ACCOUNT', 'IDEMPOTENCY_BYTES_PER_ACCOUNT'],
    kept: ['IDEMPOTENCY_RETENTION_HOURS'],
  },
  installation_log: { kept: ['AUDIT_RETENTION_DAYS'] },
  inventory_sources: { quota: ['SOURCES_PER_STOREFRONT'] },
  invitations: { quota: ['INVITATIONS_PER_DAY'], kept: ['ENDED_ACCESS_RETENTION_DAYS'] },
  join_links: { quota: ['JOIN_LINKS_PER_ACCOUNT'], kept: ['ENDED_ACCESS_RETENTION_DAYS'] },
  join_requests: { within: ['users', 'one an organization'], kept: ['ENDED_ACCESS_RETENTION_DAYS'] },
  known_brands: { notByCallers: true },
  ledger_entries: { within: ['media_buys', MONEY], forGood: MONEY },
  legacy_keys: { notByCallers: true },
  m2m_applications: { quota: ['APPLICATIONS_PER_ORGANIZATION'], forGood: 'as of revoked keys' },
  m2m_secrets: { quota: ['SECRETS_PER_APPLICATION'], forGood: 'as of revoked keys' },
  mcp_sessions: {
    quota: ['MCP_SESSIONS_PER_CREDENTIAL', 'MCP_SESSIONS_PER_ORGANIZATION'],
    until: 'a day without a call',
  },
  media_buy_changes: { quota: ['VERSIONS_PER_MEDIA_BUY'] },
  media_buy_polls: { within: ['media_buys', 'one'] },
  media_buy_versions: { quota: ['VERSIONS_PER_MEDIA_BUY', 'SELLER_VERSIONS_PER_MEDIA_BUY'] },
  media_buys: { within: ['campaigns', MONEY], forGood: MONEY },
  memberships: { within: ['users', 'one an organization'] },
  oauth_artifacts: { quota: ['RATE_LIMIT_AUTH'], until: 'its end' },
  oauth_clients: { quota: ['RATE_LIMIT_REGISTRATION'], until: 'nobody uses it any more' },
  oauth_grants: { within: ['users', 'one a program and organization that lives'], until: 'it ended' },
  one_use_links: { quota: ['MAILS_PER_EMAIL', 'MAILS_PER_IP'], until: 'a month after its end' },
  organization_domains: { quota: ['DOMAINS_PER_ORGANIZATION'] },
  organization_providers: { notByCallers: true },
  organizations: { quota: ['SIGNUPS_PER_HOUR', 'ACCOUNTS_PER_ORGANIZATION'] },
  pilot_markets: { notByCallers: true },
  preview_requests: { quota: ['SIGNUPS_PER_HOUR'], kept: ['PREVIEW_RETENTION_DAYS'] },
  pricing_rules: { notByCallers: true },
  processes: { notByCallers: true },
  proposal_code_tries: { quota: ['PROPOSAL_CODE_TRIES_PER_HOUR'], until: 'an hour' },
  refused_sign_ins: { until: 'a month' },
  revoked_tokens: {
    within: ['oauth_grants', 'a row a token that was ended'],
    until: 'the token would have ended by itself',
  },
  seller_updates: { within: ['embedded_buys', '1,000'] },
  service_tokens: { quota: ['SERVICE_TOKENS_PER_ORGANIZATION'], kept: ['ENDED_ACCESS_RETENTION_DAYS'] },
  signing_keys: { notByCallers: true },
  signup_starts: { within: ['users', 'one'] },
  spend_approvals: { kept: ['SPEND_APPROVAL_RETENTION_DAYS'] },
  spend_limits: { notByCallers: true },
  sponsorships: { within: ['organizations', 'one'] },
  storefront_agreements: { within: ['storefronts', 'one a version of what is agreed'] },
  storefront_proposals: {
    quota: ['PROPOSALS_PER_STOREFRONT', 'PROPOSAL_BYTES'],
    kept: ['PROPOSAL_RETENTION_DAYS'],
  },
  storefronts: { within: ['customers', 'one'] },
  terms_acceptances: { within: ['organizations', 'one a version of the terms'] },
  terms_versions: { notByCallers: true },
  user_identities: { within: ['users', 'one an identity provider'] },
  users: { quota: ['SIGNUPS_PER_HOUR', 'MAILS_PER_IP'], forGood: 'whose deeds the audit log tells' },
  web_sessions: { within: ['users', 'those that somebody signed in to'], until: 'a month after its end' },
  webhook_deliveries: { kept: ['EVENT_RETENTION_DAYS'] },
  webhook_subscriptions: { quota: ['WEBHOOK_SUBSCRIPTIONS_PER_ACCOUNT'] },
};

const variables = new Set(Object.entries(settings.shape).map(([name, schema]) => variableOf(name, schema)));
const queries = sourceFiles('store')
  .filter((path) => !path.includes('/migrations/'))
  .map(codeOf)
  .join('\n');

async function tablesThere(): Promise<string[]> {
  const store = openStore('file::memory:');
  try {
    await store.migrate();
    return (await tablesOf(store)).map(({ name }) => name);
  } finally {
    await store.close();
  }
}

/** The tables that a row hangs below, up to one that stands by itself. */
function above(table: string, seen: readonly string[] = []): readonly string[] {
  const [parent] = bounds[table]?.within ?? [];
  return parent === undefined || seen.includes(parent) ? seen : above(parent, [...seen, parent]);
}

describe('a table', () => {
  test('is bounded, each by a quota, by a time, or by what it belongs to', async () => {
    const known = Object.keys(bounds);
    expect(known).toEqual([...known].sort());
    expect(await tablesThere()).toEqual(known);
  });

  test.each(Object.entries(bounds))('%s has bounds that are there', (table, bound) => {
    const { quota = [], kept = [], within, notByCallers, forGood, until } = bound;
    for (const setting of [...quota, ...kept]) expect(variables).toContain(setting);
    expect([quota.length, kept.length, within, notByCallers, until].some(Boolean)).toBe(true);
    // Whatever is said to end, something deletes: by itself, or with what it hangs below.
    if (kept.length > 0 || until !== undefined) {
      expect([table, ...above(table)].some((one) => queries.includes(`deleteFrom('${one}')`))).toBe(true);
    }
    if (forGood !== undefined) expect(queries).not.toContain(`deleteFrom('${table}')`);
    if (within !== undefined) expect(Object.keys(bounds)).toContain(within[0]);
    expect(above(table)).not.toContain(table);
  });
});
