import { z } from 'zod';
import { domainPolicies } from '../../store/domains.ts';
import { sponsorshipStates } from '../../store/join-links.ts';
import { roles } from '../../store/memberships.ts';
import { startingPoints } from '../../store/signups.ts';

const formFields = z
  .object({
    fields: z
      .array(
        z.object({
          name: z.string().describe('Name of the field.'),
          required: z.boolean().describe('Whether it has to be given.'),
          description: z.string().describe('What it is for.'),
        }),
      )
      .describe('What the form asks for.'),
  })
  .describe('The form of a preview.');

const startPoints = z
  .array(
    z.object({
      choice: z.enum(startingPoints).describe('A way to begin.'),
      isChosen: z.boolean().describe('Whether it was chosen. Choosing one takes none of the others away.'),
    }),
  )
  .describe('Where a buyer may begin.');

const organization = z
  .object({ id: z.number().describe('Id of the organization.'), name: z.string().describe('Its name.') })
  .describe('The organization.');

const accounts = z
  .array(
    z.object({
      id: z.number().describe('Id of the account.'),
      role: z.enum(['BUYER', 'SELLER']).describe('What it does.'),
    }),
  )
  .describe('Its accounts.');

/** What the ways of signing up answer. */
export const records = {
  options: z.object({
    advertiser: z
      .object({
        isOpen: z.boolean().describe('Whether buyers sign up by themselves.'),
        nextStep: z.enum(['organization', 'preview']).describe('What comes after choosing to buy.'),
        form: formFields.optional(),
      })
      .describe('Signing up to buy.'),
    storefront: z
      .object({
        isOpen: z.boolean().describe('Whether storefront accounts are made by themselves.'),
        termsVersion: z.string().optional().describe('The terms in force, which it accepts.'),
      })
      .describe('Signing up to sell.'),
    person: z
      .object({
        email: z.string().describe('Address of who is signed in.'),
        isEmailVerified: z.boolean().describe('Whether it is shown to be theirs.'),
        knownOrganization: z
          .object({
            name: z.string().describe('Name of the organization.'),
            policy: z.enum(domainPolicies).describe('How people of its domain come in.'),
          })
          .nullable()
          .describe('The organization whose verified domain the address is of.'),
      })
      .nullable()
      .describe('Who is signed in at the browser that asks; null for nobody.'),
  }),
  availability: z.object({
    storefrontAccountSignupAllowed: z.boolean().describe('Whether a storefront account can be made.'),
    storefrontIuSignupAllowed: z.boolean().describe('Whether a plan can be chosen.'),
    storefrontSignupAllowed: z
      .boolean()
      .describe('The same as storefrontIuSignupAllowed, under its older name.'),
  }),
  preview: z.object({
    ok: z.literal(true),
    org_ref: z
      .string()
      .nullable()
      .describe('Name of the organization of a verified address; null where there is none to tell.'),
    qualification_route: z.enum(['solutions_review', 'market_nurture']).describe('Where the request goes.'),
    outcome: z.enum(['solutions_review', 'launch_list']).describe('The same in words of ours.'),
    launchCountries: z.array(z.string()).describe('The planned countries, under which it waits.'),
  }),
  buyer: z.object({
    nextStep: z.enum(['start', 'preview']).describe('preview while buyers are not let in: nothing was made.'),
    organization: organization.nullable(),
    accounts: accounts.optional(),
    startingPoints: startPoints.optional(),
    form: formFields.optional(),
  }),
  starts: z.object({ startingPoints: startPoints }),
  storefront: z.object({
    organization,
    accounts,
    agreement: z
      .object({ termsVersion: z.string().describe('The accepted terms.') })
      .describe('The standard agreement.'),
  }),
  invitation: z.object({
    organization,
    role: z.enum(roles).describe('The role there.'),
  }),
  link: z.object({
    slug: z.string().describe('The link that was asked for.'),
    valid: z.boolean().describe('Whether it can be used now: false also for one that never was.'),
    storefrontName: z.string().nullable().describe('The storefront that sponsors.'),
    operatorDomain: z.string().nullable().describe('The domain of its seller.'),
    defaultCurrency: z.string().nullable().describe('The currency it sells in.'),
  }),
  joined: z.object({
    organization,
    accounts,
    storefrontName: z.string().describe('The only storefront that it sees.'),
    status: z.enum(sponsorshipStates).describe('pending: the seller has not decided yet.'),
  }),
  asked: z.object({
    status: z.enum(['joined', 'requested']).describe('joined at once, or requested of an administrator.'),
    organizationName: z.string().describe('The organization of the domain.'),
  }),
};
