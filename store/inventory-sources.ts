import type { Generated, Selectable, Updateable } from 'kysely';
import type { Flag, JsonText, Sealed } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { tellOnceStored } from './engine/once-stored.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount, inOrganization, ofAccount } from './engine/scoped.ts';

/** How a source sells: through an agent at a URL, or through the embedded seller. */
export const executionTypes = ['AGENT', 'MANAGED_SALES_AGENT'] as const;
export const sourceStatuses = ['PENDING', 'ACTIVE', 'DISABLED'] as const;
export const protocols = ['MCP'] as const;
export const authenticationTypes = ['API_KEY', 'NO_AUTH'] as const;

/** A flag, systems of areas or ways of a kind, each by its name. */
export type DeclaredTargeting = Readonly<Record<string, unknown>>;

/** What an agent was asked for, in the words of AdCP. */
export const sourceTasks = ['get_products', 'create_media_buy', 'update_media_buy'] as const;

/** What became of it where it came to nothing, as the seller of the agent is shown it. */
export interface SourceFailure {
  readonly at: string;
  readonly task: (typeof sourceTasks)[number];
  /** The agent's own, or the kind of failure where it gave none. */
  readonly code: string;
  readonly words: string;
}

export interface InventorySourceTable {
  id: string;
  organization_id: number;
  customer_id: number;
  storefront_id: number;
  source_id: string;
  agent_id: string;
  name: string;
  description: string | null;
  execution_type: (typeof executionTypes)[number];
  status: (typeof sourceStatuses)[number];
  endpoint_url: string | null;
  protocol: (typeof protocols)[number] | null;
  authentication_type: (typeof authenticationTypes)[number] | null;
  /** The credential, encrypted for this row. */
  auth: Sealed | null;
  /** When a seller last answered in its time, and when it last did not. */
  answered_at: string | null;
  late_at: string | null;
  /** Calls in a row that took longer than a seller has. */
  late_calls: Generated<number>;
  /**
   * What it declared of targeting when it was last asked, as it wrote it (AdCP, get_adcp_capabilities,
   * execution.targeting): JSON null where it said nothing of it, and null as long as nobody has heard.
   */
  declared_targeting: JsonText<DeclaredTargeting | null> | null;
  /** Whether it declared then that it keeps sandbox accounts (account.sandbox); null as long as nobody has heard. */
  declared_sandbox: Flag | null;
  /** The versions of AdCP that it declared then; null where it named none, and as long as nobody has heard. */
  declared_versions: JsonText<readonly string[]> | null;
  /** When its agent last failed or refused what it was asked for. */
  last_failure: JsonText<SourceFailure> | null;
  /** Counts what the seller changed. */
  version: Generated<number>;
  created_at: string;
  updated_at: string;
}

export type InventorySourceRow = Selectable<InventorySourceTable>;

declare module './engine/database.ts' {
  interface Database {
    inventory_sources: InventorySourceTable;
  }
}

/** A source that nobody has asked yet. */
export type NewInventorySource = Omit<
  InventorySourceRow,
  | 'organization_id'
  | 'customer_id'
  | 'answered_at'
  | 'late_at'
  | 'late_calls'
  | 'declared_targeting'
  | 'declared_sandbox'
  | 'declared_versions'
  | 'last_failure'
  | 'version'
>;

export async function insertInventorySource(
  db: Db,
  scope: Scope,
  source: NewInventorySource,
): Promise<InventorySourceRow> {
  return db
    .insertInto('inventory_sources')
    .values(ofAccount(scope, source))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A page of the sources of the selling account, oldest first. */
export function pageOfInventorySources(
  db: Db,
  scope: Scope,
  page: Page,
): Promise<Counted<InventorySourceRow>> {
  const found = db.selectFrom('inventory_sources').$call(inAccount(scope));
  return counted(
    db,
    { asker: scope, rows: found.selectAll().orderBy('created_at').orderBy('id'), found },
    page,
  );
}

/** All of them: as many as its quota lets a storefront have. */
export function listInventorySources(db: Db, scope: Scope): Promise<InventorySourceRow[]> {
  return db
    .selectFrom('inventory_sources')
    .selectAll()
    .$call(inAccount(scope))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function countInventorySources(db: Db, scope: Scope): Promise<number> {
  const { total } = await counting(db, scope).executeTakeFirstOrThrow();
  return Number(total);
}

/** How many of them are asked. */
export async function countActiveSources(db: Db, scope: Scope): Promise<number> {
  const { total } = await counting(db, scope).where('status', '=', 'ACTIVE').executeTakeFirstOrThrow();
  return Number(total);
}

function counting(db: Db, scope: Scope) {
  return db
    .selectFrom('inventory_sources')
    .select((eb) => eb.fn.countAll().as('total'))
    .$call(inAccount(scope));
}

export function findInventorySource(
  db: Db,
  scope: Scope,
  sourceId: string,
): Promise<InventorySourceRow | undefined> {
  return db
    .selectFrom('inventory_sources')
    .selectAll()
    .$call(inAccount(scope))
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
}

/** Whoever keeps a connection to a source hears here that it is another one now, or none any more. */
export const sourceTopic = (id: string) => `source:${id}`;

const CONNECTION = ['status', 'endpoint_url', 'authentication_type', 'auth'] as const;

/** Writes the given columns alone, and gives the whole row: within a transaction nobody else writes it after. */
export function updateInventorySource(
  db: Db,
  scope: Scope,
  change: { id: string; set: Updateable<InventorySourceTable> },
): Promise<InventorySourceRow | undefined> {
  if (CONNECTION.some((column) => column in change.set)) tellOnceStored(db, sourceTopic(change.id));
  return db
    .updateTable('inventory_sources')
    .set(change.set)
    .$call(inAccount(scope))
    .where('id', '=', change.id)
    .returningAll()
    .executeTakeFirst();
}

/** Holds a source until the transaction ends, and gives it as it is; writing a column of it as it is holds the row. */
export function holdInventorySource(
  tx: Db,
  scope: Scope,
  id: string,
): Promise<InventorySourceRow | undefined> {
  return updateInventorySource(tx, scope, { id, set: { id } });
}

export async function deleteInventorySource(db: Db, scope: Scope, id: string): Promise<void> {
  await db.deleteFrom('embedded_products').$call(inOrganization(scope)).where('source_id', '=', id).execute();
  await db.deleteFrom('inventory_sources').$call(inAccount(scope)).where('id', '=', id).execute();
  tellOnceStored(db, sourceTopic(id));
}
