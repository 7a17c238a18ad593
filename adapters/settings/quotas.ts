import { HOUR_MS, MINUTE_MS } from '../../tools/core/moments.ts';
import { count, setting } from './setting.ts';

/** How much one tenant may keep, and for how long it is kept. */
export const quotaSettings = {
  sourcesPerStorefront: setting(
    'SOURCES_PER_STOREFRONT',
    count(50, 1, 100_000),
    'Inventory sources of one storefront.',
  ),
  productsPerStorefront: setting(
    'PRODUCTS_PER_STOREFRONT',
    count(1_000, 1, 100_000),
    'Products of the embedded sellers of one storefront that are on the market.',
  ),
  openSessions: setting(
    'DISCOVERY_SESSIONS_OPEN',
    count(50, 1, 100_000),
    'Discovery sessions of one account that collect at a time.',
  ),
  storedSessions: setting(
    'DISCOVERY_SESSIONS_STORED',
    count(10_000),
    'Discovery sessions that are kept of one account.',
  ),
  productsPerSession: setting(
    'DISCOVERY_PRODUCTS_PER_SESSION',
    count(50_000),
    'Products that one discovery session keeps.',
  ),
  bytesPerSession: setting(
    'DISCOVERY_BYTES_PER_SESSION',
    count(67_108_864, 65_536, 1_073_741_824),
    'Bytes of products that one discovery session keeps. Each is stored twice: by itself and in its revision.',
  ),
  bytesPerAccount: setting(
    'DISCOVERY_BYTES_PER_ACCOUNT',
    count(4_294_967_296, 1_048_576, 1_099_511_627_776),
    'Bytes that the discovery sessions of one account keep. For a new one the oldest that ended give way; those that ' +
      'a campaign goes with stay, and where they are too many, no new one begins. DISCOVERY_SESSIONS_OPEN share it.',
  ),
  bytesPerSeller: setting(
    'DISCOVERY_BYTES_PER_SELLER',
    count(2_097_152, 1_024, 104_857_600),
    'Bytes of products that one seller may bring to a discovery session; its first ones are kept.',
  ),
  choicesPerSession: setting(
    'DISCOVERY_CHOICES_PER_SESSION',
    count(200, 1, 10_000),
    'Products that may be chosen in one discovery session.',
  ),
  proposalsPerStorefront: setting(
    'PROPOSALS_PER_STOREFRONT',
    count(5_000, 1, 1_000_000),
    'Proposals that one storefront made codes for, until they are forgotten (PROPOSAL_RETENTION_DAYS).',
  ),
  bytesPerProposal: setting(
    'PROPOSAL_BYTES',
    count(524_288, 1_024, 104_857_600),
    'Bytes that one proposal of a storefront keeps: its plan and the products of it.',
  ),
  linksPerAdvertiser: setting(
    'ACCOUNT_LINKS_PER_ADVERTISER',
    count(100, 1, 1_000),
    'Accounts at sellers that one advertiser has.',
  ),
  subscriptionsPerAccount: setting(
    'WEBHOOK_SUBSCRIPTIONS_PER_ACCOUNT',
    count(50, 1, 10_000),
    'Webhook subscriptions of one account.',
  ),
  accountsPerOrganization: setting(
    'ACCOUNTS_PER_ORGANIZATION',
    count(100, 1, 100_000),
    'Accounts below one organization, however deep, closed ones too. Those that the operator makes are not refused.',
  ),
  apiKeysPerOrganization: setting(
    'API_KEYS_PER_ORGANIZATION',
    count(100, 1, 10_000),
    'Live API keys of one organization that people made. Keys that the operator makes are not refused.',
  ),
  applicationsPerOrganization: setting(
    'APPLICATIONS_PER_ORGANIZATION',
    count(100, 1, 10_000),
    'M2M applications of one organization.',
  ),
  secretsPerApplication: setting(
    'SECRETS_PER_APPLICATION',
    count(5, 2, 100),
    'Live secrets of one M2M application. Changing one takes two for a while.',
  ),
  originsPerOrganization: setting(
    'BROWSER_ORIGINS_PER_ORGANIZATION',
    count(50, 1, 10_000),
    'Origins of pages of one organization that may call REST.',
  ),
  advertisersPerAccount: setting(
    'ADVERTISERS_PER_ACCOUNT',
    count(10_000, 1, 1_000_000),
    'Advertisers of one account, archived ones too.',
  ),
  brandsPerOrganization: setting(
    'BRANDS_PER_ORGANIZATION',
    count(10_000, 1, 1_000_000),
    'Brands that one organization registered with saveBrand.',
  ),
  joinLinksPerAccount: setting(
    'JOIN_LINKS_PER_ACCOUNT',
    count(100, 1, 10_000),
    'Join links of one selling account that nobody disabled. Of disabled ones ten times as many are kept until they ' +
      'are forgotten (ENDED_ACCESS_RETENTION_DAYS).',
  ),
  domainsPerOrganization: setting(
    'DOMAINS_PER_ORGANIZATION',
    count(100, 1, 10_000),
    'E-mail domains that one organization named. Those that the operator verifies for it are not refused.',
  ),
  serviceTokensPerOrganization: setting(
    'SERVICE_TOKENS_PER_ORGANIZATION',
    count(100, 1, 10_000),
    'Live service tokens of one organization. Of ended ones a hundred times as many are kept until they are ' +
      'forgotten (ENDED_ACCESS_RETENTION_DAYS).',
  ),
  codeTriesPerHour: setting(
    'PROPOSAL_CODE_TRIES_PER_HOUR',
    count(10, 1, 10_000),
    'Codes of proposals that one account may try in an hour without having been given them.',
  ),
  keysPerAccount: setting(
    'IDEMPOTENCY_KEYS_PER_ACCOUNT',
    count(100_000, 1, 10_000_000),
    'Idempotency keys that are kept of one account.',
  ),
  answerBytes: setting(
    'IDEMPOTENCY_ANSWER_BYTES',
    count(262_144, 1_024, 16_777_216),
    'Largest answer that is kept under an idempotency key, in bytes. Of a larger one its repeat says that it was given.',
  ),
  answerBytesPerAccount: setting(
    'IDEMPOTENCY_BYTES_PER_ACCOUNT',
    count(1_073_741_824, 65_536, 1_099_511_627_776),
    'Bytes of answers that are kept under the idempotency keys of one account, each counted as 4096 at the least. ' +
      'Where they are full no more are kept: a repeat says what was made, and nothing is made twice.',
  ),
  keysKeptHours: setting(
    'IDEMPOTENCY_RETENTION_HOURS',
    count(24, 1, 720),
    'Hours that a change is answered again under its idempotency key, and not made anew.',
  ),
  versionsPerBuy: setting(
    'VERSIONS_PER_MEDIA_BUY',
    count(1_000, 2, 100_000),
    'Earlier versions of one media buy that are kept, the last of them, whoever made them; and as many of the ' +
      'changes of it that ended.',
  ),
  sellerVersionsPerBuy: setting(
    'SELLER_VERSIONS_PER_MEDIA_BUY',
    count(100, 1, 100_000),
    'Earlier versions of one media buy that are kept of those that its seller alone made, of VERSIONS_PER_MEDIA_BUY.',
  ),
  approvalDays: setting(
    'SPEND_APPROVAL_DAYS',
    count(7, 1, 90),
    'Days that a spend above the limit of its organization waits for another person; then it has to be asked anew.',
  ),
  endGraceHours: setting(
    'MEDIA_BUY_END_GRACE_HOURS',
    count(72, 0, 8_760),
    'Hours after the end of a media buy in which its seller is asked for figures, and these count; then it is over here, ' +
      'whatever its seller says, and what was not delivered of its budget is released. A seller that declares a longer delay ' +
      'of its reports has as long, 30 days at the most. 0: once it is over nobody is asked.',
  ),
  takeoverAfterMs: setting(
    'TAKEOVER_AFTER_MS',
    count(MINUTE_MS, 1_000, HOUR_MS),
    'Milliseconds after which an order, a session or a webhook that should have ended is taken over from a process ' +
      'that lives but forgot it. Work of a process that died is taken over with PROCESS_LEASE_MS.',
  ),
  orderTakeovers: setting(
    'ORDER_TAKEOVERS_MAX',
    count(5, 1, 20),
    'Times an order whose answer could not be stored is sent again under its key, each time later; then it is ' +
      'left to a person.',
  ),
  discoveryRetentionDays: setting(
    'DISCOVERY_RETENTION_DAYS',
    count(30, 1, 36_500),
    'Days that a discovery session is kept after its end. One that a campaign buys from stays.',
  ),
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    count(730, 1, 36_500),
    'Days that an entry of the audit log is kept.',
  ),
  approvalRetentionDays: setting(
    'SPEND_APPROVAL_RETENTION_DAYS',
    count(730, 1, 36_500),
    'Days that a spend above the limit of its organization is kept once it is decided or over.',
  ),
  proposalRetentionDays: setting(
    'PROPOSAL_RETENTION_DAYS',
    count(730, 1, 36_500),
    'Days that a proposal of a storefront is kept after the end of its code. One that a live campaign took up stays.',
  ),
  eventRetentionDays: setting(
    'EVENT_RETENTION_DAYS',
    count(30, 1, 3_650),
    'Days that events of campaigns and media buys are kept for streams, and deliveries of webhooks for their log.',
  ),
  endedAccessRetentionDays: setting(
    'ENDED_ACCESS_RETENTION_DAYS',
    count(90, 1, 36_500),
    'Days that invitations, service tokens, disabled join links that nobody came by and approved requests to join ' +
      'are kept after their end. Declined requests stay: they keep people out.',
  ),
  previewRetentionDays: setting(
    'PREVIEW_RETENTION_DAYS',
    count(730, 1, 36_500),
    'Days that a request for a preview is kept, and its place on the launch list with it.',
  ),
};
