import type { z } from 'zod';
import { fullPath } from '../../tools/core/addresses.ts';
import type { ErrorCode } from '../../tools/core/errors/catalogue.ts';
import {
  type Answered,
  type Asked,
  askToJoin,
  buyer,
  emailAvailability,
  invitation,
  join,
  linkContext,
  options,
  preview,
  start,
  storefront,
} from './answers.ts';
import { forms } from './forms.ts';
import { records } from './records.ts';

/** A way of signing up: what serves it, and what documents say of it. */
export interface Endpoint {
  /** Names the operation: `signup_buyer_create`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Takes of the limit of signing up. */
  readonly isCounted: boolean;
  /** Whether it wants a person who is signed in at a browser. */
  readonly needsPerson: boolean;
  /** The status of success, or of each success. */
  readonly statuses: readonly number[];
  /** Beside those of any call. */
  readonly errors: readonly ErrorCode[];
  /** The body of a POST, the query of a GET. */
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  answer(asked: Asked): Promise<Answered>;
}

const BASE = fullPath('platform', '/signup');

const plans =
  'Says what you plan to buy, while buyers are not let in; also without signing in. It makes no organization and ' +
  'nobody a member: plans that match a live pilot go to review, others wait on the launch list under their countries.';

const filing = {
  method: 'POST',
  isCounted: true,
  needsPerson: false,
  statuses: [201],
  errors: ['NOT_IMPLEMENTED'],
  input: forms.preview,
  output: records.preview,
  example: {
    email: 'ada@acme.example',
    first_name: 'Ada',
    last_name: 'Lovelace',
    company: 'Acme',
    role: 'brand',
    intended_markets: ['FR'],
    intended_channels: ['ctv'],
  },
  answer: preview,
} as const;

const making = {
  method: 'POST',
  isCounted: true,
  needsPerson: true,
  statuses: [201],
  errors: ['CONFLICT', 'NOT_IMPLEMENTED'],
} as const;

const reading = { method: 'GET', needsPerson: false, statuses: [200], errors: [] } as const;

export const endpoints: readonly Endpoint[] = [
  {
    ...reading,
    name: 'signup_get',
    title: 'Show what can be signed up for',
    description:
      'Shows whether buyers and storefront accounts are made by themselves now, what comes next, and who is signed ' +
      'in at the browser that asks.',
    path: BASE,
    isCounted: false,
    input: forms.nothing,
    output: records.options,
    example: {},
    answer: options,
  },
  {
    ...reading,
    name: 'signup_email_availability_get',
    title: 'Show what an address may sign up for',
    description: 'Answers the same for every address, whether somebody has an account with it or not.',
    path: `${BASE}/email-availability`,
    isCounted: true,
    input: forms.email,
    output: records.availability,
    example: { email: 'ada@acme.example' },
    answer: emailAvailability,
  },
  {
    ...filing,
    name: 'signup_preview_create',
    title: 'Ask for a preview',
    description: plans,
    path: `${BASE}/previews`,
  },
  {
    ...filing,
    name: 'buyer_signup_intake_create',
    title: 'Ask for a preview, at the agreed address',
    description: plans,
    path: fullPath('buyer', '/auth/buyer-signup-intake'),
  },
  {
    ...making,
    name: 'signup_buyer_create',
    title: 'Sign up as a buyer',
    description:
      'Makes a buyer organization with you as its first administrator, and shows three places to begin. While ' +
      'buyers are not let in it is 200, nothing is made, and the form of a preview is shown.',
    path: `${BASE}/buyers`,
    statuses: [200, 201],
    input: forms.organization,
    output: records.buyer,
    example: { name: 'Acme' },
    answer: buyer,
  },
  {
    ...making,
    name: 'signup_start_create',
    title: 'Choose where to begin',
    description: 'Notes where the organization you work in begins. The other ways stay open.',
    path: `${BASE}/starting-points`,
    isCounted: false,
    statuses: [200],
    input: forms.start,
    output: records.starts,
    example: { choice: 'api' },
    answer: start,
  },
  {
    ...making,
    name: 'signup_storefront_create',
    title: 'Sign up as a storefront',
    description:
      'Makes an organization with a storefront account; accepting the terms makes its standard agreement. It ' +
      'enrolls in no plan and charges nothing.',
    path: `${BASE}/storefronts`,
    input: forms.storefront,
    output: records.storefront,
    example: { name: 'Acme Media', termsVersion: '1.0' },
    answer: storefront,
  },
  {
    ...making,
    name: 'signup_invitation_accept',
    title: 'Accept an invitation',
    description:
      'Makes you a member of the organization that invited you, while signup is closed too. The invitation works ' +
      'once, and for the address it was mailed to.',
    path: `${BASE}/invitations`,
    statuses: [200],
    errors: ['NOT_FOUND', 'CONFLICT', 'NOT_IMPLEMENTED'],
    input: forms.invitation,
    output: records.invitation,
    example: { token: 'the last part of the mailed address' },
    answer: invitation,
  },
  {
    ...reading,
    name: 'signup_join_link_get',
    title: 'Show where the link of a seller leads',
    description:
      'Shows which storefront sponsors whoever uses a join link: the same of one that is over as of none.',
    path: `${BASE}/join-links/{slug}`,
    isCounted: false,
    input: forms.nothing,
    output: records.link,
    example: { slug: 'acme-media' },
    answer: linkContext,
  },
  {
    ...making,
    name: 'signup_join',
    title: 'Join by the link of a seller',
    description:
      'Makes a buyer organization that sees the storefront of the link and no other. The link stays usable.',
    path: `${BASE}/join-links/{slug}`,
    errors: ['NOT_FOUND', 'CONFLICT', 'NOT_IMPLEMENTED'],
    input: forms.organization,
    output: records.joined,
    example: { slug: 'acme-media', name: 'Acme' },
    answer: join,
  },
  {
    ...making,
    name: 'signup_join_request_create',
    title: 'Ask to join by your domain',
    description:
      'Lets you into the organization of your verified address, asks its administrators, or refuses: as the policy ' +
      'of the domain says.',
    path: `${BASE}/join-requests`,
    input: forms.nothing,
    output: records.asked,
    example: {},
    answer: askToJoin,
  },
];
