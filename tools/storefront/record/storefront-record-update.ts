import { z } from 'zod';
import type { Flag } from '../../../store/engine/codec.ts';
import { fromFlag, toFlag, toJson } from '../../../store/engine/codec.ts';
import { listInventorySources } from '../../../store/inventory-sources.ts';
import { type StorefrontRow, updateStorefront } from '../../../store/storefronts.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, contradicts } from '../../core/errors/refusals.ts';
import type { Given } from '../../core/updating.ts';
import { differing, writeUpdate } from '../../core/updating.ts';
import { ownStorefrontKind, reachOwnStorefront } from '../../domain/storefronts/reach.ts';
import { ownStorefrontRecord, storefrontFacts } from '../../domain/storefronts/record.ts';
import { readinessChecks } from '../../domain/storefronts/rules.ts';
import { countriesRule, ownStorefront, storefrontFields } from '../../domain/storefronts/schema.ts';
import { shownOwnStorefront } from '../../domain/storefronts/shown.ts';
import { livingOn } from './living-on.ts';

const fields = z.strictObject({
  name: storefrontFields.name.optional(),
  publisherDomain: storefrontFields.publisherDomain.optional(),
  operatorDomain: storefrontFields.operatorDomain.optional(),
  description: storefrontFields.description
    .nullable()
    .optional()
    .describe('What you sell, up to 2,000 characters.'),
  website: storefrontFields.website.optional(),
  channels: storefrontFields.channels.optional(),
  acceptedCountries: storefrontFields.acceptedCountries
    .nullable()
    .optional()
    .describe('Countries you sell in, such as ["US", "CA"]; null names none.'),
  acceptsAllCountries: storefrontFields.acceptsAllCountries.optional(),
  defaultCurrency: storefrontFields.defaultCurrency.optional(),
  plan: storefrontFields.plan.optional(),
  transacting: z.boolean().optional().describe('True opens for business, once everything needed is there.'),
  isPaused: z.boolean().optional().describe('True takes the storefront out of discovery for a while.'),
});

const input = fields.refine(countriesRule.check, countriesRule.complaint);

const output = ownStorefront.extend({
  warnings: z.array(z.string()).optional().describe('What goes on when closed.'),
});

export const storefrontRecordUpdate = defineTool({
  name: 'storefront_record_update',
  title: 'Update own storefront',
  example: { transacting: true },
  description:
    'Changes the storefront of your selling account, opens it for business, or closes it; what is left ' +
    'out stays. transacting true opens it and needs an active inventory source and a default currency; isPaused ' +
    'true closes it. Returns the storefront.',
  effect: 'update',
  audit: { kind: ownStorefrontKind, ofResult: ({ storefrontId }) => storefrontId },
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '/', shows: shownOwnStorefront(output) },
  input,
  notBuilt: [
    'paymentCurrencies',
    'brandName',
    'logoUrl',
    'logoBackground',
    'sellsThirdPartyInventory',
    'advertisingPolicyDisclosure',
    'supportedLanguages',
    'membershipStatus',
    'regions',
    'demandContactName',
    'demandContactEmail',
    'capabilities',
    'setupIntent',
    'compositionPricing',
    'creativeApproval',
    'mediaBuyApproval',
    'businessProfile',
    'confirmOperatorDomainProfileReset=true',
    'confirmCurrencyCatalogImpact=true',
    'acknowledgeNoHumanReview=true',
  ],
  output,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx) => reachOwnStorefront(ctx),
  handler: async (ctx, change, found) => {
    requireSomewhere(change, found);
    const given = columnsOf(change);
    if (change.transacting === true) await requireReady(ctx, { ...found, ...differing(found, given) });

    const row = await writeUpdate(ctx, {
      kind: ownStorefrontKind,
      found,
      given,
      update: (tx, set) =>
        updateStorefront(tx, ctx.scope, {
          id: found.id,
          version: found.version,
          set: { ...set, updated_at: ctx.now },
        }),
      record: storefrontFacts,
      about: ({ id, name }) => ({ resourceId: id, resourceName: name }),
    });

    const closes = change.isPaused === true || change.transacting === false;
    return { ...ownStorefrontRecord(row), ...(closes ? await livingOn(ctx) : {}) };
  },
});

/** Countries that are named beside everywhere would be shown to nobody. */
function requireSomewhere(
  { acceptedCountries, acceptsAllCountries }: z.output<typeof input>,
  found: StorefrontRow,
): void {
  if ((acceptedCountries ?? null) === null || acceptsAllCountries === false) return;
  if (!fromFlag(found.accepts_all_countries)) return;
  throw contradicts('acceptedCountries', 'The storefront sells everywhere.', {
    suggestion: 'Give acceptsAllCountries false with it.',
  });
}

function columnsOf(change: z.output<typeof input>): Given<StorefrontRow> {
  const { channels, acceptedCountries, acceptsAllCountries, transacting, isPaused } = change;
  return {
    name: change.name,
    publisher_domain: change.publisherDomain,
    operator_domain: change.operatorDomain,
    description: change.description,
    website: change.website,
    default_currency: change.defaultCurrency,
    channels: channels && toJson(channels),
    accepted_countries: acceptedCountries === null ? null : acceptedCountries && toJson(acceptedCountries),
    accepts_all_countries: flagOf(acceptsAllCountries),
    transacting: flagOf(transacting),
    is_paused: flagOf(isPaused),
  };
}

function flagOf(value: boolean | undefined): Flag | undefined {
  return value === undefined ? undefined : toFlag(value);
}

async function requireReady(ctx: Context, storefront: StorefrontRow): Promise<void> {
  const sources = await listInventorySources(ctx.db, ctx.scope);
  const active = sources.filter(({ status }) => status === 'ACTIVE').length;
  const checks = readinessChecks(storefront, { all: sources.length, active });
  const missing = checks.filter(({ status }) => status === 'missing');
  if (missing.length === 0) return;
  throw conflict(
    `The storefront cannot open before all of this holds: ${missing.map(({ name }) => name).join('; ')}.`,
    stepsTo({ sources: sources.length, active, currency: storefront.default_currency }),
    { details: { checks } },
  );
}

interface Ready {
  readonly sources: number;
  readonly active: number;
  readonly currency: string | null;
}

/** What to do before a storefront can open, of what is missing alone. */
function stepsTo({ sources, active, currency }: Ready): string {
  const source =
    sources === 0
      ? ['Add an active inventory source with inventory_source_create.']
      : ['Activate a source with inventory_source_update; inventory_source_list says where each stands.'];
  return [
    ...(active > 0 ? [] : source),
    ...(currency === null ? ['Set defaultCurrency, in the same call if you like.'] : []),
  ].join(' ');
}
