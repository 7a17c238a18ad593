import { z } from 'zod';
import { startingPoints } from '../../store/signups.ts';
import { emailAddress, previewForm } from '../../tools/domain/admission/preview.ts';
import { shortText } from '../../tools/domain/text.ts';

const organization = z.strictObject({
  name: shortText(255).describe('Name of the new organization.'),
});

/** What the ways of signing up take. */
export const forms = {
  nothing: z.strictObject({}),
  email: z.strictObject({ email: emailAddress.describe('The address.') }),
  /** `website` is a field that people do not see: what fills it in is no person. */
  preview: previewForm.extend({
    website: z.string().max(500).optional().describe('Left empty: a trap for programs.'),
  }),
  organization,
  storefront: organization.extend({
    termsVersion: z.string().max(64).describe('The terms that are accepted with it: the version in force.'),
  }),
  start: z.strictObject({ choice: z.enum(startingPoints).describe('Where to begin; the others stay open.') }),
  invitation: z.strictObject({
    token: z.string().min(1).max(200).describe('The last part of the address that was mailed.'),
  }),
};
