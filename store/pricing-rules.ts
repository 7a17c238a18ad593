import type { Generated, Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount, ofAccount } from './engine/scoped.ts';

export interface PricingRuleTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  /** Null: every advertiser of the account. */
  advertiser_id: number | null;
  /** Null: every sales agent. */
  agent_id: string | null;
  /** The part of a budget that is a fee, in hundredths of a percent. */
  fee_bps: number;
  created_at: string;
  ended_at: string | null;
}

export type PricingRuleRow = Selectable<PricingRuleTable>;

/** What a rule is about. */
export type PricingSubject = Pick<PricingRuleRow, 'advertiser_id' | 'agent_id'>;

declare module './engine/database.ts' {
  interface Database {
    pricing_rules: PricingRuleTable;
  }
}

export async function insertPricingRule(
  db: Db,
  scope: Scope,
  rule: Pick<PricingRuleRow, 'advertiser_id' | 'agent_id' | 'fee_bps' | 'created_at'>,
): Promise<void> {
  await db.insertInto('pricing_rules').values(ofAccount(scope, rule)).execute();
}

/** The rules of an account that hold, oldest first. Served by `pricing_rules_by_customer`. */
export function listPricingRules(db: Db, scope: Scope): Promise<PricingRuleRow[]> {
  return db
    .selectFrom('pricing_rules')
    .selectAll()
    .$call(inAccount(scope))
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Ends the rule about a subject, and gives its fee; undefined where none held. */
export async function endPricingRule(
  db: Db,
  scope: Scope,
  { advertiser_id, agent_id, now }: PricingSubject & { now: string },
): Promise<number | undefined> {
  const ended = await db
    .updateTable('pricing_rules')
    .set({ ended_at: now })
    .$call(inAccount(scope))
    .where('ended_at', 'is', null)
    .where('advertiser_id', advertiser_id === null ? 'is' : '=', advertiser_id)
    .where('agent_id', agent_id === null ? 'is' : '=', agent_id)
    .returning('fee_bps')
    .executeTakeFirst();
  return ended?.fee_bps;
}
