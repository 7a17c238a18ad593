import type { Tables as AdvertiserTables } from '../advertisers.ts';
import type { Tables as ApiKeyTables } from '../api-keys.ts';
import type { Tables as AuditLogTables } from '../audit-log.ts';
import type { Tables as CampaignTables } from '../campaigns.ts';
import type { Tables as DiscoveryTables } from '../discovery.ts';
import type { Tables as DiscoverySelectionTables } from '../discovery-selections.ts';
import type { Tables as ManagedBuyTables } from '../embedded-buys.ts';
import type { Tables as ManagedProductTables } from '../embedded-products.ts';
import type { Tables as InventorySourceTables } from '../inventory-sources.ts';
import type { Tables as McpSessionTables } from '../mcp-sessions.ts';
import type { Tables as MediaBuyTables } from '../media-buys.ts';
import type { Tables as OrganizationTables } from '../organizations.ts';
import type { Tables as ProcessTables } from '../processes.ts';
import type { Tables as StorefrontTables } from '../storefronts.ts';
import type { Tables as TermsTables } from '../terms.ts';
import type { Tables as UserTables } from '../users.ts';
import type { Tables as WebhookTables } from '../webhooks.ts';

/** Every table of the database. */
export type Database = OrganizationTables &
  UserTables &
  TermsTables &
  ApiKeyTables &
  AdvertiserTables &
  StorefrontTables &
  InventorySourceTables &
  ManagedProductTables &
  ManagedBuyTables &
  DiscoveryTables &
  DiscoverySelectionTables &
  CampaignTables &
  MediaBuyTables &
  WebhookTables &
  AuditLogTables &
  McpSessionTables &
  ProcessTables;

/** The tables whose rows belong to one organization: no query on them goes without its scope. */
export const tenantTables = [
  'customers',
  'memberships',
  'grants',
  'terms_acceptances',
  'api_keys',
  'advertisers',
  'storefronts',
  'inventory_sources',
  'managed_products',
  'managed_buys',
  'discovery_sessions',
  'discovery_agents',
  'discovery_groups',
  'discovery_revisions',
  'discovery_selections',
  'campaigns',
  'media_buys',
  'webhook_subscriptions',
  'webhook_deliveries',
  'audit_logs',
  'mcp_sessions',
] as const satisfies readonly (keyof Database)[];
