import type { z } from 'zod';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import type { StorefrontRow } from '../../../store/storefronts.ts';
import type { MarketStorefront } from '../../../store/unscoped/market.ts';
import { displayStatus } from './rules.ts';
import type { listedStorefront, marketStorefront, ownStorefront } from './schema.ts';

function common(row: StorefrontRow) {
  return {
    platformId: row.platform_id,
    name: row.name,
    publisherDomain: row.publisher_domain,
    description: row.description,
    website: row.website,
    displayStatus: displayStatus(row),
    channels: fromJson(row.channels),
    acceptedCountries: row.accepted_countries === null ? null : fromJson(row.accepted_countries),
    acceptsAllCountries: fromFlag(row.accepts_all_countries),
  };
}

export function storefrontRecord(row: MarketStorefront): z.input<typeof marketStorefront> {
  return {
    id: row.id,
    ...common(row),
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
    defaultCurrency: row.default_currency,
    transacting: fromFlag(row.transacting),
    isPaused: fromFlag(row.is_paused),
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
