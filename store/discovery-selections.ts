import type { Generated, Selectable } from 'kysely';
import type { CampaignConstraints } from './campaign-constraints.ts';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import { inPieces } from './engine/pieces.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

/** A figure of a measurement vendor that a product can be optimized for, in the words of AdCP. */
export interface VendorMetric {
  readonly vendor: { readonly domain: string; readonly brand_id?: string | undefined };
  readonly metric_id: string;
  /** Kinds of targets that it can be given; without any it is had as much as possible. */
  readonly supported_targets?: readonly ('cost_per' | 'threshold_rate')[] | undefined;
}

/** What is read back of a product that was chosen; the whole product is stored. */
export interface ChosenProduct {
  readonly name: string;
  readonly cpm?: number | undefined;
  readonly salesAgentName: string;
  readonly storefrontName?: string | undefined;
  readonly storefrontId: string;
  /** Absent in what was chosen before products told it; empty where the seller says nothing of channels. */
  readonly channels?: readonly string[] | undefined;
  /** Absent where the seller says nothing of countries. */
  readonly countries?: readonly string[] | undefined;
  /** Figures it can be optimized for; absent where the seller names none. */
  readonly optimizationMetrics?: readonly string[] | undefined;
  readonly reachUnits?: readonly string[] | undefined;
  /** Kinds of targets that goals of these figures take; absent in what was chosen before products told them. */
  readonly optimizationTargets?: readonly string[] | undefined;
  /** Seconds from which on a view can count as completed; absent where the seller names none, and takes none. */
  readonly viewDurations?: readonly number[] | undefined;
  /** How many goals a package of it takes; absent where the seller sets no limit. */
  readonly maxOptimizationGoals?: number | undefined;
  /** Figures of measurement vendors, likewise; absent in what was chosen before products told them. */
  readonly optimizationVendorMetrics?: readonly VendorMetric[] | undefined;
  readonly pricingOptions: readonly {
    readonly pricingOptionId: string;
    readonly pricingModel?: string | undefined;
    readonly currency: string;
    readonly minSpend?: number | undefined;
    readonly fixedPrice?: number | undefined;
    readonly isFixed?: boolean | undefined;
    /** The least that can be bid in an auction. */
    readonly floorPrice?: number | undefined;
  }[];
  /** By how much reports of it come late; absent where they do not, and in what was chosen before products told it. */
  readonly reportingDelayMinutes?: number | undefined;
  readonly formatIds: readonly { readonly agentUrl: string; readonly id: string }[];
  readonly publisherProperties?: readonly { readonly publisherDomain?: string | undefined }[] | undefined;
}

/** Whom a product is to reach (AdCP, core/targeting): checked where it came in, and kept as it is sent. */
export interface Targeting extends Omit<CampaignConstraints, 'channels'> {
  readonly [field: string]: unknown;
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
  /** How its budget is spread; null: as the campaign says. */
  pacing: 'even' | 'asap' | 'front_loaded' | null;
  targeting_overlay: JsonText<Targeting> | null;
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

/** A page of them. */
export function pageOfSelections(
  db: Db,
  scope: Scope,
  { sessionId, page }: { readonly sessionId: string; readonly page: Page },
): Promise<Counted<DiscoverySelectionRow>> {
  const found = db
    .selectFrom('discovery_selections')
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId);
  return counted(db, { asker: scope, rows: found.selectAll().orderBy('id'), found, areFew: true }, page);
}

/** What was chosen by name alone, in the order of choosing: little, however much is kept of each. */
export function listChosenNames(
  db: Db,
  scope: Scope,
  sessionId: string,
): Promise<Pick<DiscoverySelectionRow, 'agent_id' | 'product_id'>[]> {
  return db
    .selectFrom('discovery_selections')
    .select(['agent_id', 'product_id'])
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute();
}

const terms = [
  'agent_id',
  'product_id',
  'pricing_option_id',
  'bid_price',
  'budget_minor',
  'pacing',
  'targeting_overlay',
] as const;

/** What was agreed of a choice, without the product that was chosen. */
export type ChosenTerms = Pick<DiscoverySelectionRow, (typeof terms)[number]>;

/** The terms of what was chosen, in the order of choosing. */
export function listChosenTerms(db: Db, scope: Scope, sessionId: string): Promise<ChosenTerms[]> {
  return db
    .selectFrom('discovery_selections')
    .select(terms)
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute();
}

/** What the choices of a session were given, in minor units. */
export async function sumSelections(db: Db, scope: Scope, sessionId: string): Promise<number> {
  const { allocated } = await db
    .selectFrom('discovery_selections')
    .select((eb) => eb.fn.sum('budget_minor').as('allocated'))
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return Number(allocated ?? 0);
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

/** How many products are chosen in each of some sessions; one in which none is is left out. */
export async function countSelectionsOf(
  db: Db,
  scope: Scope,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('discovery_selections')
    .select((eb) => ['session_id', eb.fn.countAll().as('total')] as const)
    .$call(inOrganization(scope))
    .where('session_id', 'in', sessionIds)
    .groupBy('session_id')
    .execute();
  return new Map(rows.map(({ session_id, total }) => [session_id, Number(total)]));
}

/** Adds choices, or changes those that were made before: many of them in one statement, of a product the last one. */
export async function putSelections(
  db: Db,
  scope: Scope,
  selections: readonly Omit<DiscoverySelectionRow, 'id' | 'organization_id'>[],
): Promise<void> {
  const rows = new Map(
    selections.map((row) => [`${row.agent_id} ${row.product_id}`, ofOrganization(scope, row)]),
  );
  await inPieces([...rows.values()], (piece) =>
    db
      .insertInto('discovery_selections')
      .values(piece)
      .onConflict((key) =>
        key
          .columns(['session_id', 'agent_id', 'product_id'])
          .doUpdateSet((eb) => ({
            pricing_option_id: eb.ref('excluded.pricing_option_id'),
            bid_price: eb.ref('excluded.bid_price'),
            budget_minor: eb.ref('excluded.budget_minor'),
            pacing: eb.ref('excluded.pacing'),
            targeting_overlay: eb.ref('excluded.targeting_overlay'),
            product: eb.ref('excluded.product'),
            selected_at: eb.ref('excluded.selected_at'),
          }))
          .where('discovery_selections.organization_id', '=', scope.organizationId),
      )
      .execute(),
  );
}

/** Takes back the named products of one seller. */
export async function deleteSelectionsOf(
  db: Db,
  scope: Scope,
  { id, agentId, productIds }: { id: string; agentId: string; productIds: readonly string[] },
): Promise<void> {
  if (productIds.length === 0) return;
  await db
    .deleteFrom('discovery_selections')
    .$call(inOrganization(scope))
    .where('session_id', '=', id)
    .where('agent_id', '=', agentId)
    .where('product_id', 'in', productIds)
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
