import { findAdvertiser } from '../../../store/advertisers.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant, type Scope } from '../../../store/engine/scope.ts';
import { type CustomerRow, lockAccount } from '../../../store/organizations.ts';
import {
  endPricingRule,
  insertPricingRule,
  listPricingRules,
  type PricingRuleRow,
  type PricingSubject,
} from '../../../store/pricing-rules.ts';
import { findSeller } from '../../../store/unscoped/market.ts';
import type { Actor } from '../../core/context.ts';
import { contradicts } from '../../core/errors/refusals.ts';
import { pricingRuleKind } from './kinds.ts';
import { buyerAccount, scopeOfAccount } from './operating.ts';

/** What only the operator does with prices: the fee of an account, of an advertiser, of a sales agent. */

export interface PricingWanted {
  readonly organizationId: number;
  readonly customerId?: number | undefined;
  readonly advertiserId?: number | undefined;
  readonly agentId?: string | undefined;
}

/** Puts a rule in the place of the one about the same. What was bought before keeps the fee it was bought at. */
export function setPricingRule(actor: Actor, wanted: PricingWanted & { feeBps: number }): Promise<void> {
  const { feeBps: fee_bps } = wanted;
  return changeRule(actor, wanted, async (tx, scope, subject) => {
    await requireSubject(tx, scope, subject);
    // Of two that are set at once the second ends the first, and has to see it.
    await lockAccount(tx, scope);
    const held = (await listPricingRules(tx, scope)).find(
      ({ advertiser_id, agent_id }) =>
        advertiser_id === subject.advertiser_id && agent_id === subject.agent_id,
    );
    if (held?.fee_bps === fee_bps) return { from: readFee(fee_bps), to: readFee(fee_bps) };
    const before = await endPricingRule(tx, scope, { ...subject, now: actor.now });
    await insertPricingRule(tx, scope, { ...subject, fee_bps, created_at: actor.now });
    return { from: before === undefined ? null : readFee(before), to: readFee(fee_bps) };
  });
}

/** Ends a rule, where there is one. What no other rule is about cannot be bought from then on. */
export function dropPricingRule(actor: Actor, wanted: PricingWanted): Promise<void> {
  return changeRule(actor, wanted, async (tx, scope, subject) => {
    const ended = await endPricingRule(tx, scope, { ...subject, now: actor.now });
    return { from: ended === undefined ? null : readFee(ended), to: null };
  });
}

export async function pricingRulesOf({ db }: Actor, wanted: PricingWanted): Promise<PricingRuleRow[]> {
  return listPricingRules(
    db,
    scopeOfAccount(await buyerAccount(db, wanted.organizationId, wanted.customerId)),
  );
}

/** A fee for a reader: `12.5 %`. */
export function readFee(feeBps: number): string {
  return `${feeBps / 100} %`;
}

async function requireSubject(
  tx: Db,
  scope: Scope,
  { advertiser_id, agent_id }: PricingSubject,
): Promise<void> {
  if (advertiser_id !== null && (await findAdvertiser(tx, scope, advertiser_id)) === undefined) {
    throw contradicts('advertiser', 'The account has no such advertiser.', {
      suggestion: 'Look its id up with advertiser_list.',
    });
  }
  if (agent_id !== null && (await findSeller(tx, makeTenant(scope.organizationId), agent_id)) === undefined) {
    throw contradicts('agent', 'There is no such sales agent.', {
      suggestion: 'Look its id up with storefront_list, or in what discover_products finds.',
    });
  }
}

async function changeRule(
  actor: Actor,
  { organizationId, customerId, advertiserId, agentId }: PricingWanted,
  work: (
    tx: Db,
    scope: Scope,
    subject: PricingSubject,
  ) => Promise<{ from: string | null; to: string | null }>,
): Promise<void> {
  const account: CustomerRow = await buyerAccount(actor.db, organizationId, customerId);
  const subject = { advertiser_id: advertiserId ?? null, agent_id: agentId ?? null };
  await actor.write(
    (tx) => work(tx, scopeOfAccount(account), subject),
    (fee) =>
      fee.from === fee.to
        ? undefined
        : {
            kind: pricingRuleKind,
            resourceId: account.id,
            resourceName: account.name,
            ...(advertiserId === undefined ? {} : { advertiserId }),
            changes: {
              fee,
              ...(agentId === undefined ? {} : { salesAgentId: { from: agentId, to: agentId } }),
            },
            tenant: { organizationId, customerId: account.id },
          },
  );
}
