import type { SellerRow } from '../../../store/unscoped/market.ts';
import type { Seller } from './port.ts';

/** A seller as the port takes it. */
export function asSeller({ source, storefront_id, storefront_name }: SellerRow): Seller {
  return {
    agentId: source.agent_id,
    agentName: source.name,
    storefrontId: storefront_id,
    storefrontName: storefront_name,
    source: {
      id: source.id,
      organizationId: source.organization_id,
      customerId: source.customer_id,
      executionType: source.execution_type,
      endpointUrl: source.endpoint_url,
      authenticationType: source.authentication_type,
      auth: source.auth,
    },
    history: {
      answeredAt: source.answered_at,
      lateAt: source.late_at,
      lateCalls: source.late_calls,
    },
  };
}
