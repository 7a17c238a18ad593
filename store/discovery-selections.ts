import type { Generated, Selectable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

/** What is read back of a product that was chosen; the whole product is stored. */
export interface ChosenProduct {
  readonly name: string;
  readonly cpm?: number | undefined;
  readonly salesAgentName: string;
  readonly storefrontId: string;
  /** Absent in what was chosen before products told it; empty where the seller says nothing of channels. */
  readonly channels?: readonly string[] | undefined;
  /** Absent where the seller says nothing of countries. */
  readonly countries?: readonly string[] | undefined;
  readonly pricingOptions: readonly {
    readonly pricingOptionId: string;
    readonly currency: string;
    readonly minSpend?: number | undefined;
  }[];
  readonly formatIds: readonly { readonly agentUrl: string; readonly id: string }[];
}

export interface DiscoverySelectionTable {
  id: Generated<number>;
  organization_id: number;
  session_id: string;
  agent_id: string;
  product_id: string;
  group_id: string;
  group_name: string;
  pricing_option_id: string;
  /** A decimal as text: what is bid for a unit of the pricing model. */
  bid_price: string | null;
  budget_minor: number | null;
  product: JsonText<ChosenProduct>;
  selected_at: string;
}

export type DiscoverySelectionRow = Selectable<DiscoverySelectionTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_selections: DiscoverySelectionTable;
  }
}

/** What was chosen in a session, in the order of choosing. */
export function listSelections(db: Db, scope: Scope, sessionId: string): Promise<DiscoverySelectionRow[]> {
  return db
    .selectFrom('discovery_selections')
    .selectAll()
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute();
}

export async function countSelections(db: Db, scope: Scope, sessionId: string): Promise<number> {
  const { total } = await db
    .selectFrom('discovery_selections')
    .select((eb) => eb.fn.countAll().as('total'))
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Adds a choice, or changes one that was made before. */
export async function putSelection(
  db: Db,
  scope: Scope,
  selection: Omit<DiscoverySelectionRow, 'id' | 'organization_id'>,
): Promise<void> {
  const { pricing_option_id, bid_price, budget_minor, product, selected_at } = selection;
  await db
    .insertInto('discovery_selections')
    .values(ofOrganization(scope, selection))
    .onConflict((key) =>
      key
        .columns(['session_id', 'agent_id', 'product_id'])
        .doUpdateSet({ pricing_option_id, bid_price, budget_minor, product, selected_at })
        .where('discovery_selections.organization_id', '=', scope.organizationId),
    )
    .execute();
}

/** Takes choices back: the named products, or all of them. Gives the number taken. */
export async function deleteSelections(
  db: Db,
  scope: Scope,
  session: { id: string; productIds: readonly string[] | null },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('discovery_selections')
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .$if(session.productIds !== null, (query) => query.where('product_id', 'in', session.productIds ?? []))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
