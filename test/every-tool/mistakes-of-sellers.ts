import type { Fields } from '../journeys/step.ts';
import { type Mistake, type World, wrong } from './mistake.ts';

const product = {
  tool: 'product_create',
  args: ({ sourceId }: World): Fields => ({
    sourceId,
    name: 'Evening display',
    description: 'Banners beside the evening news.',
    publisherDomain: 'news.example',
    channels: ['display'],
    pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 10 }],
    formats: ['display_300x250'],
  }),
};
const source = {
  tool: 'inventory_source_update',
  args: ({ sourceId }: World): Fields => ({ sourceId, name: 'Shelf' }),
};
const storefront = { tool: 'storefront_record_update', args: (): Fields => ({ name: 'Corner' }) };

export const ofSellers: readonly Mistake[] = [
  {
    what: 'two prices at once',
    ...wrong(product, {
      pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 1, floorPrice: 1 }],
    }),
    field: 'pricingOptions.0.floorPrice',
    says: 'not both',
  },
  {
    what: 'a price of nothing',
    ...wrong(product, { pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 0 }] }),
    field: 'pricingOptions.0.fixedPrice',
    says: 'More than 0',
  },
  {
    what: 'a format with blanks',
    ...wrong(product, { formats: ['300 x 250'] }),
    field: 'formats.0',
    says: 'letters, digits',
  },
  {
    what: 'no words about a product',
    ...wrong(product, { description: null }),
    field: 'description',
    says: 'Required',
  },
  {
    what: 'an embedded seller that is not there',
    ...wrong(product, { sourceId: 'none' }),
    code: 'NOT_FOUND',
    says: 'inventory_source',
    next: { tool: 'inventory_source_list' },
  },
  {
    what: 'a source that is not there',
    tool: 'inventory_source_get',
    args: () => ({ sourceId: 'none' }),
    code: 'NOT_FOUND',
    says: 'inventory_source_list',
    next: { tool: 'inventory_source_list' },
  },
  {
    what: 'a source called in capitals',
    ...wrong(source, { sourceId: 'Main!' }),
    field: 'sourceId',
    says: 'lowercase',
  },
  {
    what: 'a state of sources nobody has',
    ...wrong(source, { status: 'PAUSED' }),
    field: 'status',
    says: 'DISABLED',
  },
  {
    what: 'a campaign for a product',
    tool: 'product_delete',
    args: () => ({ productId: 'cmp_1' }),
    field: 'productId',
    says: 'cmp_1 is a campaign',
    next: { tool: 'product_list' },
  },
  {
    what: 'a web site without an address',
    ...wrong(storefront, { website: 'corner' }),
    field: 'website',
    says: 'Give a web address such as https://acme.example/page.',
  },
  {
    what: 'a truth that is none',
    ...wrong(storefront, { isPaused: 'perhaps' }),
    field: 'isPaused',
    says: 'true or false',
  },
  {
    what: 'no currency of this world',
    ...wrong(storefront, { defaultCurrency: 'XXQ' }),
    field: 'defaultCurrency',
    says: 'ISO 4217',
  },
].map((mistake) => ({ ...mistake, by: 'seller' as const }));
