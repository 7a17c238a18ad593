import type { Areas, CampaignConstraints } from '../../../store/campaign-constraints.ts';
import { COUNTRY_OF_SYSTEM, countriesOf, few } from './areas.ts';

/** What constraints mean for products and for orders. Pure: what is stored in, what misses it out. */

/** The constraints that narrow anything: an empty list is none. Undefined where nothing is left. */
export function keptConstraints(given: CampaignConstraints): CampaignConstraints | undefined {
  const kept = Object.entries(given).filter(([, list]) => Array.isArray(list) && list.length > 0);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** What a package of an order is told of them (AdCP, core/targeting): all but the channel, which is the product's. */
export function targetingOf({
  channels: _,
  ...targeting
}: CampaignConstraints): Omit<CampaignConstraints, 'channels'> {
  const { geo_postal_areas, geo_postal_areas_exclude } = targeting;
  return (
    keptConstraints({
      ...targeting,
      geo_postal_areas: geo_postal_areas?.map(asSellersKnow),
      geo_postal_areas_exclude: geo_postal_areas_exclude?.map(asSellersKnow),
    }) ?? {}
  );
}

/** Every version of AdCP 3 takes the systems that name their country; the others are as new as 3.1. */
export function asSellersKnow({ country, system, values }: Areas): Areas {
  const joint = `${country?.toLowerCase()}_${system}`;
  if (joint in COUNTRY_OF_SYSTEM) return { system: joint, values };
  const isNamed = country === undefined || COUNTRY_OF_SYSTEM[system] === country;
  return isNamed ? { system, values } : { country, system, values };
}

/**
 * The countries a product may run in: those that are named, or those of the areas that are, without those that are
 * left out. Undefined is any.
 */
export function countriesWanted(wanted: CampaignConstraints): readonly string[] | undefined {
  const { geo_countries = [], geo_countries_exclude = [] } = wanted;
  const named = geo_countries.length > 0 ? geo_countries : [...new Set(countriesOf(wanted))];
  const left = named.filter((country) => !geo_countries_exclude.includes(country));
  if (named.length === 0) return undefined;
  // Of what leaves nothing the names are all that can be told.
  return left.length > 0 ? left : named;
}

/** What of a product says where it runs. */
export interface Placed {
  readonly name: string;
  readonly channels?: readonly string[] | undefined;
  readonly countries?: readonly string[] | undefined;
}

/** A constraint that a product misses, in words. */
export interface Missed {
  readonly field: keyof CampaignConstraints;
  readonly message: string;
}

/** Kinds of devices that a channel runs on by its nature; other channels run on several. */
const DEVICE_OF_CHANNEL: Readonly<Record<string, string>> = { ctv: 'ctv', dooh: 'dooh' };

/**
 * Which of the constraints a product cannot keep, by what it says of itself: its channels, its countries, and the
 * kinds of devices that its channels are. What it does not say passes. No product says anything of languages,
 * platforms, or which regions, metro and postal areas of a country it can leave out (`language`, `device_platform`,
 * `geo_regions_exclude`, `geo_metros_exclude`, `geo_postal_areas_exclude`): of these its seller is told with the
 * order, and it is ordered from no seller that declares it cannot (`targeting/declared.ts`).
 */
export function missedBy(product: Placed, wanted: CampaignConstraints): Missed[] {
  return [
    ...missedChannels(product, wanted),
    ...missedCountries(product, wanted),
    ...missedDevices(product, wanted),
  ];
}

function missedChannels(
  { name, channels: told = [] }: Placed,
  { channels: stay = [] }: CampaignConstraints,
): Missed[] {
  return stay.length === 0 || overlaps(told, stay)
    ? []
    : [missed(name, 'channels', { told, stay, runs: 'on' })];
}

/** What says in which countries a campaign stays, the plainest first. */
const NAMES_COUNTRIES = ['geo_countries', 'geo_regions', 'geo_metros', 'geo_postal_areas'] as const;

function missedCountries({ name, countries: told = [] }: Placed, wanted: CampaignConstraints): Missed[] {
  if (told.length === 0) return [];
  const { geo_countries_exclude = [] } = wanted;
  const stay = countriesWanted(wanted) ?? [];
  if (stay.length > 0 && !overlaps(told, stay)) {
    const field = NAMES_COUNTRIES.find((one) => (wanted[one] ?? []).length > 0) ?? 'geo_countries';
    return [missed(name, field, { told, stay, runs: 'in' })];
  }
  if (!told.every((country) => geo_countries_exclude.includes(country))) return [];
  return [
    {
      field: 'geo_countries_exclude',
      message: `${name} runs in ${few(told)} alone; the campaign stays out of there.`,
    },
  ];
}

function missedDevices({ name, channels: on = [] }: Placed, wanted: CampaignConstraints): Missed[] {
  const devices = on.map((channel) => DEVICE_OF_CHANNEL[channel]);
  const known = devices.flatMap((device) => device ?? []);
  if (known.length === 0 || known.length < devices.length) return [];
  const { device_type: stay = [], device_type_exclude: out = [] } = wanted;
  if (stay.length > 0 && !overlaps(known, stay))
    return [missed(name, 'device_type', { told: known, stay, runs: 'on' })];
  if (!known.every((device) => out.includes(device))) return [];
  return [
    {
      field: 'device_type_exclude',
      message: `${name} runs on ${few(known)} alone; the campaign leaves that out.`,
    },
  ];
}

function overlaps(told: readonly string[], stay: readonly string[]): boolean {
  return told.length === 0 || told.some((one) => stay.includes(one));
}

interface Place {
  readonly told: readonly string[];
  readonly stay: readonly string[];
  readonly runs: 'on' | 'in';
}

function missed(name: string, field: Missed['field'], { told, stay, runs }: Place): Missed {
  return { field, message: `${name} runs ${runs} ${few(told)}; the campaign stays ${runs} ${few(stay)}.` };
}
