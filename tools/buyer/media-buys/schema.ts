import { z } from 'zod';
import { mediaBuyStatuses } from '../../../store/media-buys.ts';
import type { Shown } from '../../core/define.ts';
import { timestamp } from '../../domain/time.ts';

const formats = z
  .array(
    z.object({
      agent_url: z.string().describe('Agent that defines the format.'),
      id: z.string().describe('Id of the format there.'),
    }),
  )
  .describe('Creative formats it takes.');

const product = z.object({
  product_id: z.string().describe('Id of the product at the seller.'),
  sales_agent_id: z.string().describe('The seller.'),
  sales_agent_name: z.string().describe('Name of the seller.'),
  budget: z.number().describe('What it may spend.'),
  pricing_option_id: z.string().describe('How it is bought.'),
  bid_price: z.number().optional().describe('What is bid for a unit.'),
  display_order: z.number().int().describe('Its place in the choice.'),
  creative_formats: formats,
});

const packageRecord = z.object({
  package_id: z.string().describe('Id of the package at the seller.'),
  product_id: z.string().nullable().describe('The product it delivers.'),
  budget: z.number().nullable().describe('What it may spend.'),
  product_ids: z.array(z.string()).describe('The products it delivers.'),
  creatives: z.array(z.looseObject({})).describe('The creatives on it.'),
  created_at: timestamp.describe('When the order was made.'),
  sales_agent_id: z.string().describe('The seller.'),
  sales_agent_name: z.string().describe('Name of the seller.'),
});

/** The media buy record, with exactly the fields of the interface (Resources: Media buy). */
export const mediaBuy = z
  .object({
    media_buy_id: z.string().describe('Id of the media buy.'),
    tactic_id: z.number().int().optional().describe('The tactic it belongs to.'),
    customer_id: z.number().int().describe('The account that buys.'),
    name: z.string().describe('Name of the media buy.'),
    status: z.enum(mediaBuyStatuses).describe('Where it stands here.'),
    created_at: timestamp.describe('When it was created.'),
    updated_at: timestamp.describe('When it was last changed.'),
    version_hash: z.string().describe('Changes whenever the buy does.'),
    valid_from: timestamp.describe('Since when this version holds.'),
    valid_to: timestamp.optional().describe('Until when it held; absent for the version that holds.'),
    updated_by: z.string().optional().describe('Who changed it last.'),
    updated_reason: z.string().optional().describe('Why it was changed last.'),
    suggestion_id: z.string().optional().describe('The suggestion the last change came from.'),
    description: z.string().optional().describe('What it is for.'),
    start_time: timestamp.describe('When it starts.'),
    end_time: timestamp.describe('When it ends.'),
    products: z.array(product).describe('What was ordered.'),
    packages: z.array(packageRecord).describe('What the seller made of it.'),
    creatives: z.array(z.looseObject({})).describe('The creatives on it.'),
    optimization_goals: z.array(z.looseObject({})).describe('What it is optimized for.'),
    productValidationDebug: z.array(z.looseObject({})).describe('How its products were checked.'),
    adcp: z
      .object({
        media_buy_id: z.string().optional().describe('Its id at the seller.'),
        status: z.string().optional().describe('Where it stands at the seller.'),
        webhook_url: z.string().optional().describe('Where the seller reports to.'),
      })
      .describe('The seller’s side.'),
    performance: z
      .object({
        impressions: z.number().int().describe('Impressions so far.'),
        spend: z
          .number()
          .describe(
            'Spend so far, in units of the currency. A report of more than twice the budget is not taken.',
          ),
        clicks: z.number().int().describe('Clicks so far.'),
        last_updated: timestamp.optional().describe('Since when the seller reports these figures.'),
      })
      .describe('What was delivered.'),
    sandbox: z.boolean().describe('True: nothing is spent.'),
    archived_at: timestamp.optional().describe('When it was archived.'),
  })
  .meta({ id: 'MediaBuy' });

const buyerMediaBuy = z
  .object({
    mediaBuyId: z.string().describe('Id of the media buy.'),
    name: z.string().describe('Name of the media buy.'),
    status: z.enum(mediaBuyStatuses).describe('Where it stands here.'),
    startTime: timestamp.describe('When it starts.'),
    endTime: timestamp.describe('When it ends.'),
    adcpMediaBuyId: z.string().nullable().describe('Its id at the seller.'),
    adcpStatus: z.string().nullable().describe('Where it stands at the seller.'),
    performance: mediaBuy.shape.performance,
    sandbox: z.boolean().describe('True: nothing is spent.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
  })
  .meta({ id: 'BuyerMediaBuy' });

/** The same for REST, in the words of its contract (BuyerMediaBuyResponse). */
export const shownMediaBuy: Shown = {
  schema: z.object({ mediaBuy: buyerMediaBuy.describe('The media buy.') }),
  from: (output) => {
    const buy = mediaBuy.parse(output);
    return {
      mediaBuy: {
        mediaBuyId: buy.media_buy_id,
        name: buy.name,
        status: buy.status,
        startTime: buy.start_time,
        endTime: buy.end_time,
        adcpMediaBuyId: buy.adcp.media_buy_id ?? null,
        adcpStatus: buy.adcp.status ?? null,
        performance: buy.performance,
        sandbox: buy.sandbox,
        createdAt: buy.created_at,
        updatedAt: buy.updated_at,
      },
    };
  },
};
