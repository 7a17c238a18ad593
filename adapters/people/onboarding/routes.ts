import type { PageRoute } from '../people.ts';
import { colleaguesPage } from './colleagues.ts';
import { invitationPage } from './invitation.ts';
import { joinPage } from './joining.ts';
import { advertiserPage, startPage, storefrontPage } from './signing-up.ts';
import { termsPage } from './terms.ts';

/** The pages of the way in: what to be, terms, an invitation, the link of a seller. */
export const onboardingRoutes: readonly PageRoute[] = [
  startPage,
  colleaguesPage,
  advertiserPage,
  storefrontPage,
  termsPage,
  invitationPage,
  joinPage,
];
