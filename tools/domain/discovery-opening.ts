import { z } from 'zod';
import type { CampaignConstraints } from '../../store/campaign-constraints.ts';
import { fromJson } from '../../store/engine/codec.ts';
import { evaluation, screening } from './assessment.ts';
import { channelWords } from './channels.ts';
import { countryCodes } from './countries.ts';
import { numericId, prefixedId } from './ids.ts';
import { pricingModels } from './pricing.ts';
import type { SaleTerms } from './sale-terms.ts';
import { domainLabels, longText, shortText } from './text.ts';
import { endsAfterStart, flightDate } from './time.ts';

/**
 * What a discovery session is opened with, and keeps. What narrows its products, what is stored of it and what a
 * seller is asked are picked from here.
 */
export const opening = z.strictObject({
  campaignId: prefixedId(
    'a draft whose advertiser, brief, dates and budget it takes over',
    'cmp_',
  ).optional(),
  brief: longText(5000)
    .min(1)
    .optional()
    .describe('What you want to reach, in plain words, up to 5,000 characters.'),
  channels: z
    .array(z.enum(channelWords))
    .max(channelWords.length)
    .optional()
    .describe('Only these channels; video and audio find it on whichever channel.'),
  countries: countryCodes({ max: 250 }).optional().describe('Only these countries, such as ["US"].'),
  budget: z
    .number()
    .positive()
    .max(1e12)
    .optional()
    .describe('What there is to spend, in the advertiser’s currency.'),
  flightDates: endsAfterStart(
    z.strictObject({
      startDate: flightDate.describe('When it starts.'),
      endDate: flightDate.describe('When it ends.'),
    }),
  )
    .optional()
    .describe('When it runs: startDate and endDate with an offset.'),
  publisherDomain: domainLabels
    .optional()
    .describe('Only publishers with this domain, or whole parts of it.'),
  pricingModel: z.enum(pricingModels).optional().describe('Only products sold so.'),
  storefrontIds: z.array(numericId('a storefront')).max(50).optional().describe('Only these storefronts.'),
  storefrontNames: z
    .array(shortText(255))
    .max(50)
    .optional()
    .describe('Only storefronts with one of these in the name.'),
  screening: screening.optional().describe('Leaves out products that break these instructions.'),
  evaluation: evaluation.optional().describe('Judges the others, and says why.'),
});

/** Whether a storefront is meant by a part of its name. */
export function holdsName(name: string, part: string): boolean {
  return name.toLowerCase().includes(part.toLowerCase());
}

/** A list that narrows; one without entries narrows nothing. */
export function narrowedBy<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/** What narrows the products of a session where they are read, too. */
export const narrowing = opening.pick({
  publisherDomain: true,
  pricingModel: true,
  storefrontIds: true,
  storefrontNames: true,
});

export type Opening = z.output<typeof opening>;
export type Narrowing = z.output<typeof narrowing>;

type Flight = NonNullable<Opening['flightDates']>;

/** Fields as they are handed on: each may be left out, and lists hold words that were checked when they came in. */
type HandedOn<T> = {
  readonly [K in keyof T]?:
    | (T[K] extends readonly unknown[] | undefined ? readonly string[] : T[K])
    | undefined;
};

/** What the sellers are asked for, whoever they are. */
export type Asked = HandedOn<Pick<Opening, 'brief' | 'channels' | 'countries'> & Flight> & {
  /** Where the campaign has to stay that the session was opened for. */
  readonly constraints?: CampaignConstraints | undefined;
  /** How it has to be sold; asked for in the words of AdCP alone. */
  readonly sale?: SaleTerms | undefined;
};

/** What a session keeps: fields that were left out may come from its campaign. */
export type KeptOpening = Asked &
  HandedOn<Pick<Opening, 'publisherDomain' | 'pricingModel' | 'screening' | 'evaluation'>> & {
    /** What the advertiser pays in. */
    readonly currency: string;
    readonly budgetMinor?: number | undefined;
    /** Storefronts that were named and could not be asked. */
    readonly notAsked?: readonly NotAsked[] | undefined;
    /** Present where products are kept in the words of their sellers as well. */
    readonly keepsSource?: true | undefined;
    /** The proposal of a seller that it was opened with, by a code. */
    readonly offerId?: number | undefined;
  };

export const closedReasons = ['archived', 'paused', 'not_transacting', 'no_active_source'] as const;

/** A storefront that sells nothing at the moment. */
export interface NotAsked {
  readonly storefrontId: number;
  readonly storefrontName: string;
  readonly reason: (typeof closedReasons)[number];
}

/** What a stored session was opened with. */
export function openedWith({ request }: { readonly request: string }): KeptOpening {
  return fromJson<KeptOpening>(request);
}
