import type { Step } from './steps.ts';
import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** What a media buy was before it was changed: a row a version that holds no more. */
const versions: Table = {
  name: 'media_buy_versions',
  columns: {
    media_buy_id: refers(text, 'media_buys.id'),
    revision: integer,
    organization_id: refers(integer, 'organizations.id'),
    name: text,
    status: text,
    start_time: text,
    end_time: text,
    budget_minor: integer,
    products: text,
    packages: text,
    valid_from: text,
    valid_to: text,
    updated_by: optional(text),
    updated_reason: optional(text),
    suggestion_id: optional(text),
  },
  primaryKey: ['media_buy_id', 'revision'],
};

/** Changes on their way to the sellers: each is kept as it is sent before it is sent. */
const changes: Table = {
  name: 'media_buy_changes',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    advertiser_id: refers(integer, 'advertisers.id'),
    campaign_id: refers(text, 'campaigns.id'),
    media_buy_id: refers(text, 'media_buys.id'),
    action: text,
    state: text,
    payload: text,
    proposed: text,
    committed_minor: integer,
    owner: optional(text),
    takeovers: integer,
    adcp_task_id: optional(text),
    error_code: optional(text),
    error_owner: optional(text),
    source_message: optional(text),
    forwarded_at: optional(text),
    requested_by: optional(text),
    reason: optional(text),
    suggestion_id: optional(text),
    version: integer,
    created_at: text,
    updated_at: text,
  },
  primaryKey: ['id'],
  indexes: {
    media_buy_changes_by_buy: ['media_buy_id', 'created_at', 'id'],
    media_buy_changes_by_campaign: ['campaign_id', 'state'],
    media_buy_changes_by_state: ['state'],
  },
};

/** What the embedded seller answered to a change, so that its repeat changes nothing. */
const embeddedUpdates: Table = {
  name: 'seller_updates',
  columns: {
    source_id: text,
    idempotency_key: text,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: refers(integer, 'customers.id'),
    buy_id: text,
    payload_hash: text,
    revision: integer,
    created_at: text,
  },
  primaryKey: ['source_id', 'idempotency_key'],
};

const made = tables(versions, changes, embeddedUpdates);

const BUY_COLUMNS = ['suggestion_id', 'forwarded_at', 'valid_actions'] as const;
const EMBEDDED_COLUMNS = ['changed_at', 'cancellation_reason'] as const;

/** Media buys can be changed, and what they were before stays readable. */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('media_buys')
      .addColumn('revision', kit.integer, (column) => column.notNull().defaultTo(1))
      .execute();
    for (const name of BUY_COLUMNS)
      await db.schema.alterTable('media_buys').addColumn(name, 'text').execute();
    for (const name of EMBEDDED_COLUMNS) {
      await db.schema.alterTable('embedded_buys').addColumn(name, 'text').execute();
    }
    await made.up(db, kit);
  },
  async down(db, kit) {
    await made.down(db, kit);
    for (const name of EMBEDDED_COLUMNS)
      await db.schema.alterTable('embedded_buys').dropColumn(name).execute();
    for (const name of ['revision', ...BUY_COLUMNS]) {
      await db.schema.alterTable('media_buys').dropColumn(name).execute();
    }
  },
};
