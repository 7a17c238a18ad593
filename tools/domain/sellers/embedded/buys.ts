import type { EmbeddedBuyRow } from '../../../../store/embedded-buys.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { makeScope, type Scope } from '../../../../store/engine/scope.ts';
import { toMajor } from '../../money.ts';
import type { Seller } from '../port.ts';
import type { SellerPackage } from '../seller-package.ts';

/** The seller is a tenant like any other: its rows are read under its own scope. */
export function scopeOfSeller({ source }: Seller): Scope {
  return makeScope({ organizationId: source.organizationId, customerId: source.customerId });
}

/** The packages of a buy as a buyer is told of them. */
export function sellerPackagesOf(buy: EmbeddedBuyRow): SellerPackage[] {
  return fromJson(buy.packages).map(({ package_id, product_id, budget_minor, pacing, paused, canceled }) => ({
    package_id,
    product_id,
    budget: toMajor(budget_minor, buy.currency),
    ...(pacing === undefined ? {} : { pacing }),
    ...(paused === undefined ? {} : { paused }),
    ...(canceled === undefined ? {} : { canceled }),
  }));
}

const CHANGES = ['cancel', 'update_budget', 'update_dates', 'update_packages', 'add_packages'];

/** What may be done with a buy, in the words of AdCP. */
export function actionsIn(status: EmbeddedBuyRow['status']): readonly string[] {
  switch (status) {
    case 'pending_start':
    case 'active':
      return ['pause', ...CHANGES];
    case 'paused':
      return ['resume', ...CHANGES];
    case 'completed':
    case 'canceled':
      return [];
  }
}
