import type { z } from 'zod';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import type { StorefrontRow } from '../../../store/storefronts.ts';
import type { MarketStorefront } from '../../../store/unscoped/market.ts';
import { countriesOf, discoveryCardOf } from './card.ts';
import { displayStatus, readinessOf } from './rules.ts';
import { type listedStorefront, type marketStorefront, type ownStorefront, plan } from './schema.ts';

const NO_CAPABILITIES = {
  offersCreativeReview: false,
  offersCampaignApproval: false,
  offersProductComposition: false,
};

function common(row: StorefrontRow) {
  return {
    platformId: row.platform_id,
    name: row.name,
    publisherDomain: row.publisher_domain,
    description: row.description,
    website: row.website,
    displayStatus: displayStatus(row),
    channels: fromJson(row.channels),
    acceptedCountries: countriesOf(row),
    acceptsAllCountries: fromFlag(row.accepts_all_countries),
    regions: countriesOf(row) ?? [],
    discoveryCard: discoveryCardOf(row),
  };
}

export function storefrontRecord(row: MarketStorefront): z.input<typeof marketStorefront> {
  return {
    id: row.id,
    ...common(row),
    readiness: readinessOf(row, { all: Number(row.sources), active: Number(row.active_sources) }),
    sourceCount: Number(row.sources),
    connectedSourceCount: Number(row.active_sources),
  };
}

/** What a buyer chooses storefronts by. */
export function compactStorefront({
  id,
  name,
  displayStatus,
  channels,
  acceptedCountries,
  acceptsAllCountries,
  connectedSourceCount,
}: z.input<typeof marketStorefront>): z.input<typeof listedStorefront> {
  const countries = acceptsAllCountries ? {} : { acceptedCountries };
  return { id, name, displayStatus, channels, ...countries, acceptsAllCountries, connectedSourceCount };
}

export function ownStorefrontRecord(row: StorefrontRow): z.input<typeof ownStorefront> {
  return {
    storefrontId: String(row.id),
    ...common(row),
    operatorDomain: row.operator_domain,
    operatorDomainVerified: false,
    defaultCurrency: row.default_currency,
    plan,
    advertisedChannels: fromJson(row.channels),
    advertisedCountries: countriesOf(row) ?? [],
    advertisingPolicyDisclosure: [],
    capabilities: NO_CAPABILITIES,
    configuredCapabilities: NO_CAPABILITIES,
    capabilitiesLocked: false,
    creativeApproval: 'auto',
    mediaBuyApproval: 'auto',
    transacting: fromFlag(row.transacting),
    isPaused: fromFlag(row.is_paused),
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.version,
  };
}

/** What of it its seller sets, for the log of what changed: the rest follows from it. */
export function storefrontFacts(row: StorefrontRow) {
  const {
    regions: _,
    advertisedChannels,
    advertisedCountries,
    discoveryCard: __,
    ...facts
  } = ownStorefrontRecord(row);
  return facts;
}
