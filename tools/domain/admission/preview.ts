import { z } from 'zod';
import { toFlag, toJson } from '../../../store/engine/codec.ts';
import {
  insertPreviewRequest,
  listPilotMarkets,
  type PilotMarketRow,
  type PreviewRequestRow,
  type PreviewRoute,
  previewIntents,
  previewSources,
} from '../../../store/unscoped/admission.ts';
import type { UserRow } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { countryCodes } from '../countries.ts';
import { EMAIL_PROBLEM, emailOf } from '../email.ts';
import { organizationOfAddress, organizationOfPerson } from '../organizations/known-organization.ts';
import { channels, longText, shortText } from '../text.ts';

/** The form of a buyer while admission is closed (interface, Buyer admission and signup rules, 1). */

export const previewChannels = [...channels, 'audio', 'other'] as const;

/** An e-mail address, in lower case whatever the case it came in. */
export const emailAddress = z
  .string()
  .max(254)
  .refine((email) => emailOf(email) !== undefined, EMAIL_PROBLEM)
  .transform((email) => emailOf(email) ?? email);

export const previewForm = z.strictObject({
  email: emailAddress.describe('Work e-mail address.'),
  first_name: shortText(80).describe('First name.'),
  last_name: shortText(80).describe('Last name.'),
  company: shortText(200).describe('Name of the company.'),
  role: z.enum(['brand', 'agency']).nullish().describe('Whether it is a brand or an agency.'),
  intended_markets: countryCodes({ max: 249 }).default([]).describe('Countries that are planned.'),
  intended_channels: z
    .array(z.enum(previewChannels))
    .max(22)
    .default([])
    .describe('Channels that are planned.'),
  pilot_budget: shortText(100).nullish().describe('Estimated budget of a pilot, in words.'),
  pilot_timing: z
    .enum(['ready_now', 'one_to_three_months', 'later'])
    .nullish()
    .describe('When a pilot could begin.'),
  self_service_experience: z.boolean().nullish().describe('Whether they have bought by themselves before.'),
  prelaunch_willing: z.boolean().nullish().describe('Whether they would test a product before its launch.'),
  use_case: longText(1_000).nullish().describe('What they want to do.'),
  intent: z.enum(previewIntents).nullish().describe('What they want of it.'),
  agent_name: shortText(200).nullish().describe('The agent that is to be connected.'),
  source: z.enum(previewSources).default('agentic-signup').describe('Where they came from.'),
});

export type PreviewForm = z.output<typeof previewForm>;

/** What the form asks for, for whoever draws it. */
export const previewFields = Object.entries(previewForm.shape).map(([name, field]) => ({
  name,
  required: !field.safeParse(undefined).success,
  description: field.description ?? '',
}));

/** Where a request goes. Pure: plans and pilots in, a route out. A planned country opens no pilot. */
function routeOf(
  plans: { readonly countries: readonly string[]; readonly channels: readonly string[] },
  pilots: readonly Pick<PilotMarketRow, 'country' | 'channel'>[],
): { readonly route: PreviewRoute; readonly launchCountries: readonly string[] } {
  const isLive = pilots.some(
    ({ country, channel }) => plans.countries.includes(country) && plans.channels.includes(channel),
  );
  return isLive
    ? { route: 'solutions_review', launchCountries: [] }
    : { route: 'launch_list', launchCountries: [...plans.countries] };
}

/** How a request for a preview ended. */
export interface Filed {
  readonly request: PreviewRequestRow;
  /** The organization of the person's own verified address; nothing is said to anybody else. */
  readonly organizationName: string | null;
}

/**
 * Files the plans of a buyer. It makes no organization and nobody a member: that its domain is known is noted for
 * whoever reviews it, and told to the person only whose address is verified.
 */
export async function filePreview(
  actor: Actor,
  form: PreviewForm,
  user: UserRow | undefined,
): Promise<Filed> {
  const { db, now } = actor;
  const plans = { countries: form.intended_markets, channels: form.intended_channels };
  const { route, launchCountries } = routeOf(plans, await listPilotMarkets(db));
  const matched = await organizationOfAddress(db, form.email);
  const request = await actor.write(
    (tx) =>
      insertPreviewRequest(tx, {
        user_id: user?.id ?? null,
        email: form.email,
        first_name: form.first_name,
        last_name: form.last_name,
        company: form.company,
        org_type: form.role ?? null,
        countries: toJson(plans.countries),
        channels: toJson<string[]>(plans.channels),
        pilot_budget: form.pilot_budget ?? null,
        pilot_timing: form.pilot_timing ?? null,
        self_service_experience: flagOf(form.self_service_experience),
        prelaunch_willing: flagOf(form.prelaunch_willing),
        use_case: form.use_case ?? null,
        intent: form.intent ?? null,
        agent_name: form.agent_name ?? null,
        source: form.source,
        route,
        launch_countries: toJson([...launchCountries]),
        matched_organization_id: matched?.id ?? null,
        created_at: now,
      }),
    // Nobody's log yet: whoever files it is in no organization.
    () => undefined,
  );
  const own =
    user === undefined || user.email !== form.email ? undefined : await organizationOfPerson(db, user);
  return { request, organizationName: own?.name ?? null };
}

function flagOf(value: boolean | null | undefined) {
  return value === null || value === undefined ? null : toFlag(value);
}
