import type { RefinementItem } from '../../store/discovery-sessions.ts';
import { dayOf } from '../../tools/core/moments.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { targetingOf } from '../../tools/domain/campaigns/constraints.ts';
import { channelsAsked } from '../../tools/domain/channels.ts';
import type { TaskReference } from '../../tools/domain/sellers/buy-update.ts';
import { capOfBoth } from '../../tools/domain/sellers/frequency-limit.ts';
import type { BuyingParty, Order, OrderPackage } from '../../tools/domain/sellers/port.ts';
import type { ProductQuery } from '../../tools/domain/sellers/product-query.ts';
import { sellerText } from '../../tools/domain/text.ts';
import type { Takes } from './tool-lists.ts';

/**
 * The shapes of AdCP 3.x that cross the wire to a sales agent (AdCP, media-buy): requests, errors and products.
 * What sellers say of orders is read in `adcp-orders.ts`.
 */

export const MAJOR_VERSION = 3;
const MESSAGE_MAX = 500;
const CODE_MAX = 64;
const ERRORS_READ = 20;

/** The account by its id, or by its natural key: brand and operator; the sandbox flag keeps play money apart. */
export function accountReferenceOf(party: BuyingParty) {
  if (party.accountId !== undefined) return { account_id: party.accountId };
  return {
    brand: { domain: party.brand },
    operator: party.operator,
    ...(party.sandbox ? { sandbox: true } : {}),
  };
}

export function getProductsRequest(query: ProductQuery): Record<string, unknown> {
  const filters = {
    ...(query.channels === undefined ? {} : { channels: channelsAsked(query.channels) }),
    ...(query.countries === undefined ? {} : { countries: query.countries }),
    ...(query.startDate === undefined ? {} : { start_date: dayOf(query.startDate) }),
    ...(query.endDate === undefined ? {} : { end_date: dayOf(query.endDate) }),
    ...(query.budget === undefined ? {} : { budget_range: query.budget }),
    ...termsOfSale(query),
    ...areasToTarget(query),
  };
  return {
    adcp_major_version: MAJOR_VERSION,
    ...modeOf(query),
    brand: { domain: query.party.brand },
    account: accountReferenceOf(query.party),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
    ...preferenceOf(query),
    time_budget: { interval: query.timeBudgetSeconds, unit: 'seconds' },
  };
}

function termsOfSale({ sale = {} }: ProductQuery) {
  const { deliveryType, isFixedPrice, exclusivity, minExposures } = sale;
  return {
    ...(deliveryType === undefined ? {} : { delivery_type: deliveryType }),
    ...(isFixedPrice === undefined ? {} : { is_fixed_price: isFixedPrice }),
    ...(exclusivity === undefined ? {} : { exclusivity }),
    ...(minExposures === undefined ? {} : { min_exposures: minExposures }),
  };
}

function preferenceOf({ sale: { preferredDeliveryTypes: preferred } = {} }: ProductQuery) {
  return preferred === undefined ? {} : { preferred_delivery_types: preferred };
}

function modeOf({ brief, refine }: ProductQuery) {
  if (refine !== undefined) return { buying_mode: 'refine', refine: refine.map(asRefinement) };
  return brief === undefined ? { buying_mode: 'wholesale' } : { buying_mode: 'brief', brief };
}

/** Each scope has its own name for the id. */
function asRefinement(item: RefinementItem) {
  if (item.scope === 'request') return item;
  const { id, ...rest } = item;
  return item.scope === 'product' ? { ...rest, product_id: id } : { ...rest, proposal_id: id };
}

/** Orders will name areas: only sellers are of use that can target such. */
function areasToTarget({ constraints = {} }: ProductQuery) {
  // In the words of the orders to come: a system of postal codes by the name that has its country.
  const targeting = targetingOf(constraints);
  const { geo_regions, geo_regions_exclude, geo_metros, geo_metros_exclude } = targeting;
  const { geo_postal_areas, geo_postal_areas_exclude } = targeting;
  const regions = [geo_regions, geo_regions_exclude].some((list) => list !== undefined);
  const systems = (level: string, ...lists: (readonly { readonly system: string }[] | undefined)[]) =>
    [...new Set(lists.flatMap((list = []) => list.map(({ system }) => system)))].map((system) => ({
      level,
      system,
    }));
  const required = [
    ...(regions ? [{ level: 'region' }] : []),
    ...systems('metro', geo_metros, geo_metros_exclude),
    ...systems('postal_area', geo_postal_areas, geo_postal_areas_exclude),
  ];
  return required.length === 0 ? {} : { required_geo_targeting: required };
}

/** An order as its seller takes it: AdCP 2 knows it, and each of its packages, by a reference of the buyer's. */
export function createMediaBuyRequest(order: Order, takes: Takes): Record<string, unknown> {
  const packages = order.packages.map((one) => underCap(one, order.party));
  return {
    adcp_major_version: MAJOR_VERSION,
    idempotency_key: order.idempotencyKey,
    ...(hasReference(takes) ? { buyer_ref: order.idempotencyKey } : {}),
    account: accountReferenceOf(order.party),
    brand: { domain: order.party.brand },
    start_time: order.startTime,
    end_time: order.endTime,
    packages: havePackagesReference(takes) ? packages.map(referenced(order)) : packages,
  };
}

/** Whether orders carry a reference of the buyer's. */
export function hasReference({ fields }: Takes): boolean {
  return fields?.has('buyer_ref') === true;
}

/** Where nothing is said of packages, they are like the order. */
function havePackagesReference(takes: Takes): boolean {
  return takes.packageFields?.has('buyer_ref') ?? hasReference(takes);
}

function referenced({ idempotencyKey }: Order) {
  return (one: object, index: number) => ({ ...one, buyer_ref: `${idempotencyKey}.${index + 1}` });
}

/** A cap goes with each package (AdCP, targeting overlay), and counts people; one of its own comes first. */
export function underCap(
  { gross_minor: _, ...one }: Pick<OrderPackage, 'targeting_overlay' | 'gross_minor'>,
  { frequencyCap: cap }: BuyingParty,
): object {
  if (cap === undefined) return one;
  const { frequency_cap: own, ...overlay } = one.targeting_overlay ?? {};
  return { ...one, targeting_overlay: { frequency_cap: capOfBoth(own, cap), ...overlay } };
}

export function getMediaBuysRequest(party: BuyingParty, mediaBuyId: string): Record<string, unknown> {
  return {
    adcp_major_version: MAJOR_VERSION,
    account: accountReferenceOf(party),
    media_buy_ids: [mediaBuyId],
  };
}

export function taskRequest({ party, taskId }: TaskReference): Record<string, unknown> {
  return {
    adcp_major_version: MAJOR_VERSION,
    account: accountReferenceOf(party),
    task_id: taskId,
    include_result: true,
  };
}

/** AdCP, error recovery: what passes by itself, for sellers that do not say so. */
const TRANSIENT = new Set(['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_FLIGHT']);

export interface WireFailure {
  /** In capitals, however the seller writes it. */
  readonly code: string;
  readonly message: string;
  readonly transient: boolean;
}

/**
 * The error in an answer, wherever the protocol lets a seller put it. Beside the field that carries what was
 * asked for, `errors` are warnings and no refusal. A field that is null is a field that is not there, and a list that
 * AdCP demands of every answer carries nothing while it is empty.
 */
export function failureIn(content: unknown, payload?: string): WireFailure | undefined {
  if (!isFields(content)) return undefined;
  const error = readFailure(content['adcp_error']);
  if (error !== undefined) return error;
  return payload !== undefined && carries(content[payload]) ? undefined : readFailures(content['errors']);
}

function carries(told: unknown): boolean {
  return told !== undefined && told !== null && told !== '' && !(Array.isArray(told) && told.length === 0);
}

function readFailures(errors: unknown): WireFailure | undefined {
  if (!Array.isArray(errors)) return undefined;
  for (const entry of errors.slice(0, ERRORS_READ)) {
    const error = readFailure(entry);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** An error with a code or words; undefined for what has neither. */
export function readFailure(value: unknown): WireFailure | undefined {
  if (!isFields(value)) return undefined;
  const code = sellerText(value['code'], CODE_MAX)?.toUpperCase();
  const message = sellerText(value['message'], MESSAGE_MAX);
  if (code === undefined && message === undefined) return undefined;
  const recovery = sellerText(value['recovery'], CODE_MAX)?.toLowerCase();
  return {
    code: code ?? 'ERROR',
    message: message ?? 'The seller gave no reason.',
    transient: recovery === undefined ? TRANSIENT.has(code ?? '') : recovery === 'transient',
  };
}
