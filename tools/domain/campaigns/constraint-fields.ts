import { z } from 'zod';
import { BRIEF_MARK } from '../../core/schemas/json-schema.ts';
import { countryCode, countryCodes } from '../countries.ts';
import { withoutRepeats } from '../named-once.ts';
import { channels, shortText } from '../text.ts';
import { COUNTRY_OF_SYSTEM, eachInItsCountries } from './areas.ts';
import { eachInOrOut, PAIRS } from './in-and-out.ts';

/** Where a campaign has to stay, as callers write it (contract: constraints; AdCP, core/targeting). */

/** In lists of tools the entries of such fields are names alone: what each says is in OpenAPI, and in complaints. */
export const brief = { [BRIEF_MARK]: true };

const LIST_MAX = 250;
const SYSTEMS_MAX = 20;

const metroSystems = ['nielsen_dma', 'uk_itl1', 'uk_itl2', 'eurostat_nuts2', 'custom'] as const;

const postalSystems = [
  'postal_code',
  'zip',
  'zip_plus_four',
  'outward',
  'full',
  'fsa',
  'plz',
  'code_postal',
  'postcode',
  'cep',
  'pin',
  'custom',
  'us_zip',
  'us_zip_plus_four',
  'gb_outward',
  'gb_full',
  'ca_fsa',
  'ca_full',
  'de_plz',
  'fr_code_postal',
  'au_postcode',
  'ch_plz',
  'at_plz',
] as const;

const platforms = [
  'ios',
  'android',
  'windows',
  'macos',
  'linux',
  'chromeos',
  'tvos',
  'tizen',
  'webos',
  'fire_os',
  'roku_os',
  'unknown',
] as const;

const deviceTypes = ['desktop', 'mobile', 'tablet', 'ctv', 'dooh', 'unknown'] as const;

const region = z
  .string()
  .trim()
  .toUpperCase()
  .refine(
    (code) => /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code) && countryCode.safeParse(code.slice(0, 2)).success,
    'Give a region of ISO 3166-2, such as US-CA.',
  );

const language = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z]{2}$/, 'Give a two-letter language code of ISO 639, such as en.');

/** A list of words, each once however often it was given. */
function each<T extends z.ZodType<string>>(word: T, max = LIST_MAX) {
  return z.array(word).max(max).transform(withoutRepeats).optional();
}

/** One of many words: named when another one is given, and not in every list of tools. */
export function oneOf(words: readonly string[]) {
  return z.string().refine((word) => words.includes(word), `Give one of: ${words.join(', ')}.`);
}

const values = z.array(shortText(64)).min(1).max(1_000).describe('Codes.');

const metros = z
  .array(z.strictObject({ system: oneOf(metroSystems).describe('Such as nielsen_dma.'), values }))
  .max(SYSTEMS_MAX)
  .optional();

const postalAreas = z
  .array(
    z
      .strictObject({
        country: countryCode.optional().describe('Where the system does not name it.'),
        system: oneOf(postalSystems).describe('Such as zip, or us_zip.'),
        values,
      })
      .refine(({ country, system }) => country !== undefined || system in COUNTRY_OF_SYSTEM, {
        message: 'Required: give the country that this system is of.',
        path: ['country'],
      }),
  )
  .max(SYSTEMS_MAX)
  .optional();

const countries = countryCodes({ max: LIST_MAX }).optional();

/** Each by itself; an overlay has them as well. */
export const constraintFields = z.strictObject({
  channels: z.array(z.enum(channels)).max(20).optional().describe('Channels to stay on.'),
  geo_countries: countries.describe('Countries.'),
  geo_countries_exclude: countryCodes({ max: LIST_MAX }).optional().describe('Left out.'),
  geo_regions: each(region).describe('Such as US-CA.'),
  geo_regions_exclude: each(region).describe('Left out.'),
  geo_metros: metros.describe('Metro areas.'),
  geo_metros_exclude: metros.meta({ ...brief, description: 'Left out.' }),
  geo_postal_areas: postalAreas.describe('Postal areas.'),
  geo_postal_areas_exclude: postalAreas.meta({ ...brief, description: 'Left out.' }),
  language: each(language, 50).describe('Such as en.'),
  device_platform: each(z.enum(platforms)).meta({ ...brief, description: 'Platforms, such as ios.' }),
  device_type: each(z.enum(deviceTypes)).describe('Devices.'),
  device_type_exclude: each(z.enum(deviceTypes)).meta({ ...brief, description: 'Left out.' }),
});

/** Of a campaign, where countries have another name that callers use. */
export const constraints = constraintFields
  .extend({ geo_countries: countries.describe('Countries. Also accepted as countries.') })
  .check(...eachInOrOut(PAIRS), ...eachInItsCountries());

const word = z.array(z.string());
const areas = z.array(
  z.object({
    country: z.string().optional().describe('Country.'),
    system: z.string().describe('System of areas.'),
    values: word.describe('Codes of the system.'),
  }),
);

/** The same as it is shown. */
export const shownConstraints = z.object({
  channels: word.optional().describe('Channels.'),
  geo_countries: word.optional().describe('Countries.'),
  geo_countries_exclude: word.optional().describe('Countries that are left out.'),
  geo_regions: word.optional().describe('Regions.'),
  geo_regions_exclude: word.optional().describe('Regions that are left out.'),
  geo_metros: areas.optional().describe('Metro areas.'),
  geo_metros_exclude: areas.optional().describe('Metro areas that are left out.'),
  geo_postal_areas: areas.optional().describe('Postal areas.'),
  geo_postal_areas_exclude: areas.optional().describe('Postal areas that are left out.'),
  language: word.optional().describe('Languages.'),
  device_platform: word.optional().describe('Platforms.'),
  device_type: word.optional().describe('Kinds of devices.'),
  device_type_exclude: word.optional().describe('Kinds of devices that are left out.'),
});
