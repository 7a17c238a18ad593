import { newPerson } from '../callers/people.ts';
import { type Gate, gate } from '../run/gate.ts';
import type { TestServer } from '../server/server.ts';
import { connectAgent } from './market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from './seller-agent.ts';

/** A storefront of its own organization that sells through an agent of its own. */
export interface FarSeller {
  readonly name: string;
  readonly storefrontId: string;
  readonly agentId: string;
  readonly agent: SellerAgent;
}

export async function farSeller(
  server: TestServer,
  name: string,
  products: readonly object[] = [adcpProduct(`${name.toLowerCase()}-1`)],
): Promise<FarSeller> {
  const agent = await startSellerAgent(products);
  const { storefrontId, agentId } = await connectAgent(await newPerson(server), agent.url, { name });
  return { name, storefrontId, agentId, agent };
}

/** Lets the seller answer a request for products when its gate is opened, and not before. */
export function answersLater(seller: FarSeller, answer: object): Gate {
  const held = gate();
  seller.agent.on('get_products', async () => {
    await held.passed;
    return answer;
  });
  return held;
}

/** A product at a publisher. */
export function productAt(publisherDomain: string, id: string, changes: object = {}) {
  return adcpProduct(id, {
    publisher_properties: [{ publisher_domain: publisherDomain, selection_type: 'all' }],
    ...changes,
  });
}

/** Has a seller declare by what it targets (AdCP, media_buy.execution.targeting). */
export function declaresTargeting({ agent }: Pick<FarSeller, 'agent'>, targeting: object): void {
  agent.on('get_adcp_capabilities', () => ({
    adcp: { major_versions: [3] },
    media_buy: { execution: { targeting } },
  }));
}

/**
 * Has a seller declare whether it keeps sandbox accounts (AdCP, account.sandbox); one that declares nothing keeps none.
 */
export function declaresSandbox({ agent }: Pick<FarSeller, 'agent'>, sandbox: boolean): void {
  agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [3] }, account: { sandbox } }));
}

export const NO_SANDBOX =
  'The seller declares no sandbox accounts (account.sandbox): an order for a sandbox advertiser could be a real one there.';
