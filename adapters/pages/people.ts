import type { Express, Request, Response } from 'express';
import { refusalFor } from '../../tools/core/boundary.ts';
import { methodNotAllowed } from '../../tools/core/errors/refusals.ts';
import { agents } from '../agents/settings.ts';
import type { App } from '../http/app.ts';
import { refuseUnsafeFields } from '../http/body.ts';
import { programs } from '../oauth/settings.ts';
import { changeEmailRoutes } from '../people/change-email.ts';
import { answering, sendRefusal } from '../people/exchange.ts';
import { firstAdministratorRoutes } from '../people/first-administrator.ts';
import { forgottenRoutes } from '../people/forgotten.ts';
import { onboardingRoutes } from '../people/onboarding/routes.ts';
import { createPasswords } from '../people/passwords.ts';
import type { Answer, Asked, PageRoute, People } from '../people/people.ts';
import { providerRoutes } from '../people/provider-pages.ts';
import { createProviders } from '../people/providers.ts';
import { apiKeys } from '../people/settings/api-keys.ts';
import { applications } from '../people/settings/applications.ts';
import { approvals } from '../people/settings/approvals.ts';
import { legacyKeys } from '../people/settings/legacy-keys.ts';
import { members } from '../people/settings/members.ts';
import { organizations } from '../people/settings/organizations.ts';
import { settingsRoutes } from '../people/settings/pages.ts';
import { profile } from '../people/settings/profile.ts';
import { refused } from '../people/settings/refused.ts';
import type { Section } from '../people/settings/section.ts';
import { sessions } from '../people/settings/sessions.ts';
import { signInRoutes } from '../people/sign-in.ts';
import { signUpRoutes } from '../people/sign-up.ts';
import { verifyRoutes } from '../people/verify.ts';

/** The pages of the settings, in the order of their tabs. */
export const sections: readonly Section[] = [
  profile,
  sessions,
  organizations,
  approvals,
  members,
  apiKeys,
  applications,
  programs,
  agents,
  legacyKeys,
  refused,
];

export const routes: readonly PageRoute[] = [
  ...signInRoutes,
  ...signUpRoutes,
  ...forgottenRoutes,
  ...verifyRoutes,
  ...changeEmailRoutes,
  ...firstAdministratorRoutes,
  ...providerRoutes,
  ...onboardingRoutes,
  ...settingsRoutes(sections),
];

/** Puts the pages of people where browsers find them. What goes wrong on them is shown as a page. */
export function addPeople(pages: Express, app: App): void {
  const { passwordCost: cost, passwordsAtOnce: atOnce, passwordsWaiting: waiting } = app.config;
  const people: People = {
    passwords: createPasswords({ cost, atOnce, waiting }),
    providers: createProviders(app),
  };
  for (const route of routes) addRoute(pages, { app, people, route });
}

interface Mounted {
  readonly app: App;
  readonly people: People;
  readonly route: PageRoute;
}

function addRoute(pages: Express, { app, people, route }: Mounted): void {
  const { get, post } = route;
  const answerBy = (answer: Answer) => (req: Request, res: Response) =>
    answering(
      { app, req, res },
      () => answer({ app, req, res }, { people, ...addressOf(req) }),
      (thrown) => refusalFor(thrown, app.services.log, { doing: 'page' }),
    );
  const allowed = [...(get === undefined ? [] : ['GET', 'HEAD']), ...(post === undefined ? [] : ['POST'])];
  const there = pages.route(route.path);
  if (get !== undefined) there.get(answerBy(get));
  if (post !== undefined) there.post(answerBy(post));
  there.all((req, res) => {
    res.set('Allow', allowed.join(', '));
    sendRefusal({ app, req, res }, methodNotAllowed(allowed));
  });
}

/** What the address says; text that no column could be asked for is refused, as in a form. */
function addressOf(req: Request): Pick<Asked, 'query' | 'params'> {
  const [query, params] = [queryOf(req), paramsOf(req)];
  refuseUnsafeFields([...Object.entries(params), ...query]);
  return { query, params };
}

function queryOf({ originalUrl }: Request): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : originalUrl.slice(start));
}

function paramsOf({ params }: Request): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]));
}
