import { makeTenant } from '../../../store/engine/scope.ts';
import { findOrganization, listCustomers } from '../../../store/organizations.ts';
import {
  countWaiting,
  findSpendLimit,
  listSpendLimits,
  putSpendLimit,
  type SpendLimitRow,
} from '../../../store/spend-approvals.ts';
import type { Actor } from '../../core/context.ts';
import { present } from '../../core/reach.ts';
import { readMoney } from '../money.ts';
import { organizationKind } from '../organizations/kinds.ts';
import { spendLimitKind } from './kinds.ts';

/** What only the operator does: from how much on the spends of an organization wait for another person. */

export interface LimitWanted {
  readonly organizationId: number;
  readonly currency: string;
  /** Undefined: none from then on. */
  readonly limitMinor: number | undefined;
}

/**
 * Sets the limit of an organization in a currency, with an entry in the log of each account that it holds for. What
 * waits already goes on waiting.
 */
export async function setSpendLimit(actor: Actor, wanted: LimitWanted): Promise<void> {
  const { organizationId, currency, limitMinor } = wanted;
  const tenant = makeTenant(organizationId);
  const organization = present(await findOrganization(actor.db, tenant), organizationKind);
  const buyers = (await listCustomers(actor.db, tenant)).filter(({ role }) => role === 'BUYER');
  const logs = buyers.length === 0 ? [null] : buyers.map(({ id }) => id);
  await actor.write(
    async (tx) => {
      const before = (await findSpendLimit(tx, tenant, currency))?.limit_minor;
      await putSpendLimit(tx, tenant, { currency, limitMinor, now: actor.now });
      return before;
    },
    (before) =>
      before === limitMinor
        ? undefined
        : logs.map((customerId) => ({
            kind: spendLimitKind,
            resourceId: `${organizationId}.${currency}`,
            resourceName: organization.name,
            changes: { limit: { from: said(before, currency), to: said(limitMinor, currency) } },
            tenant: { organizationId, customerId },
          })),
  );
}

export async function spendLimitsOf({ db }: Actor, organizationId: number): Promise<SpendLimitRow[]> {
  const tenant = makeTenant(organizationId);
  present(await findOrganization(db, tenant), organizationKind);
  return listSpendLimits(db, tenant);
}

/** How many spends of the organization wait for another person, and can still be decided. */
export function waitingOf({ db, now }: Actor, organizationId: number): Promise<number> {
  return countWaiting(db, makeTenant(organizationId), now);
}

function said(minor: number | undefined, currency: string): string | null {
  return minor === undefined ? null : readMoney(minor, currency);
}
