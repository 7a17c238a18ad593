import type { Fields } from '../journeys/step.ts';

/** What is there when the mistakes are made. */
export interface World {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly discoveryId: string;
  readonly productId: string;
  readonly storefrontId: string;
  readonly sourceId: string;
}

export interface Call {
  readonly tool: string;
  args?(world: World): Fields;
}

/** A call that is wrong, what its refusal says, and the step that it leads to. */
export interface Mistake extends Call {
  /** In words, for the name of the test. */
  readonly what: string;
  readonly by?: 'seller';
  /** Where it is wrong; undefined when no single field is. */
  readonly field?: string;
  readonly code?: string;
  /** In the text that a host shows. */
  readonly says: string | RegExp;
  /** The arguments put right: for those whose refusal takes a mind to read. */
  readonly next?: Partial<Call>;
}

/** A wrong field of a call that is right otherwise. */
export function wrong(
  call: Required<Pick<Call, 'tool' | 'args'>>,
  fields: Fields | ((world: World) => Fields),
): Required<Pick<Mistake, 'tool' | 'args' | 'next'>> {
  const given = (world: World) => (typeof fields === 'function' ? fields(world) : fields);
  return {
    tool: call.tool,
    args: (world) => ({ ...call.args(world), ...given(world) }),
    next: { args: call.args },
  };
}

/** What an agent gives to the tools that refusals lead to, which it knows how to call. */
export const settled: Readonly<Record<string, (world: World) => Fields>> = {
  advertiser_list: () => ({}),
  campaign_list: () => ({}),
  campaign_get: ({ campaignId }) => ({ campaignId }),
  storefront_list: () => ({}),
  webhook_list: () => ({}),
  product_list: () => ({}),
  inventory_source_list: () => ({}),
  discover_products: ({ advertiserId }) => ({ advertiserId, waitSeconds: 0 }),
  browse_products: ({ discoveryId }) => ({ discoveryId }),
  discovery_remove_products: ({ discoveryId, productId }) => ({ discoveryId, productIds: [productId] }),
};

/** What a step took away is given back, for the mistakes that follow. */
export const takenBack: Readonly<Record<string, Call>> = {
  discovery_remove_products: {
    tool: 'discovery_add_products',
    args: ({ discoveryId, productId }) => ({ discoveryId, products: [{ productId }] }),
  },
};
