type Fields = Readonly<Record<string, unknown>>;

/** What the calls are about. */
export interface Subject {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly discoveryId: string;
}

export interface Slip {
  readonly what: string;
  readonly tool: string;
  args(subject: Subject): Fields;
  /** What the refusal has to say; a slip that is understood all the same says none. */
  readonly says?: RegExp;
  /** The call as the refusal leads to it. */
  mended?(subject: Subject): { readonly tool?: string; readonly args: Fields };
}

const flightDates = { startDate: '2030-03-01T00:00:00Z', endDate: '2030-03-31T00:00:00Z' };
const draft = ({ advertiserId }: Subject): Fields => ({
  advertiserId,
  name: 'Winter',
  budget: { total: 1_000 },
  flightDates,
});
const create = (fields: Fields) => ({
  tool: 'campaign_create',
  args: (subject: Subject) => ({ ...draft(subject), ...fields }),
  mended: (subject: Subject) => ({ args: draft(subject) }),
});

/** A dozen mistakes that models make. */
export const slips: readonly Slip[] = [
  {
    what: 'a campaign where an advertiser belongs',
    tool: 'advertiser_get',
    args: ({ campaignId }) => ({ advertiserId: campaignId }),
    says: /is a campaign: give the id of the advertiser/,
    mended: ({ advertiserId }) => ({ args: { advertiserId } }),
  },
  {
    what: 'an advertiser that is not there',
    tool: 'advertiser_get',
    args: () => ({ advertiserId: '999999' }),
    says: /advertiser_list/,
    mended: () => ({ tool: 'advertiser_list', args: {} }),
  },
  { what: 'a budget of nothing', ...create({ budget: { total: 0 } }), says: /budget\.total/ },
  {
    what: 'a flight that ends before it starts',
    ...create({ flightDates: { startDate: flightDates.endDate, endDate: flightDates.startDate } }),
    says: /flightDates/,
  },
  { what: 'a flight that is over', ...create({ flightDates: past() }), says: /flightDates\.endDate/ },
  {
    what: 'a field that is misspelt',
    ...create({ name: undefined, nmae: 'Winter' }),
    says: /Did you mean name/,
  },
  {
    what: 'a field that is given twice, misspelt once',
    ...create({ nmae: 'Winter' }),
    says: /leave it out, name is given already/,
  },
  {
    what: 'a page by its number',
    tool: 'campaign_list',
    args: () => ({ page: 2 }),
    says: /skip/,
    mended: () => ({ args: { skip: 20 } }),
  },
  {
    what: 'a status that is none',
    tool: 'campaign_list',
    args: () => ({ status: ['RUNNING'] }),
    says: /ACTIVE/,
    mended: () => ({ args: { status: ['ACTIVE'] } }),
  },
  {
    what: 'a campaign without a choice, executed',
    tool: 'campaign_execute',
    args: ({ campaignId }) => ({ campaignId }),
    says: /discovery_add_products/,
    mended: ({ advertiserId }) => ({
      tool: 'discover_products',
      args: { advertiserId, brief: 'Morning runners', productsPerGroup: 1, waitSeconds: 30 },
    }),
  },
  {
    what: 'a product that was not found',
    tool: 'discovery_add_products',
    args: ({ discoveryId }) => ({ discoveryId, products: [{ productId: 'prod_example' }] }),
    says: /browse_products/,
    mended: ({ discoveryId }) => ({
      tool: 'browse_products',
      args: { discoveryId, productsPerGroup: 1, waitSeconds: 0 },
    }),
  },
  { what: 'null for what may be left out', ...create({ brief: null }) },
  { what: 'a number as text', ...create({ budget: { total: '1000' } }) },
];

function past() {
  return { startDate: '2020-01-01T00:00:00Z', endDate: '2020-02-01T00:00:00Z' };
}
