import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suspendOrganization, suspendPerson } from '../../tools/domain/organizations/operator-decisions.ts';
import { headersOf } from '../support/callers/browsers.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import { done } from '../support/sellers/market.ts';
import { narrowElsewhere, newPlace, type Place } from './kinds.ts';
import { newWorld, type World } from './world.ts';

/** The person at the page that has the token, and what they sign in with. */
interface Holder {
  readonly place: Place;
  readonly person: { readonly userId: number; readonly email: string };
  readonly browser: Client;
  readonly shown: string;
}

interface Moment {
  readonly happens: string;
  does(holder: Holder): Promise<unknown>;
  /** How listing and making a key are answered from then on, in every process. */
  readonly answered: readonly [lists: 200 | 401 | 403, makes: 201 | 401 | 403];
}

const TEN_MINUTES = 600_000;
const GOES_ON = [200, 201] as const;
const OVER = [401, 401] as const;

describe('the token of the key-management widget', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });
  afterAll(() => world.stop());

  const suspend = (organizationId: number, isSuspended: boolean) =>
    suspendOrganization(world.one.operator, { organizationId, isSuspended });

  const moments: readonly Moment[] = [
    { happens: 'is used', does: async () => {}, answered: GOES_ON },
    { happens: 'is asked for once more', does: ({ browser }) => tokenFor(browser), answered: GOES_ON },
    { happens: 'expires', does: async () => world.clock.skip(TEN_MINUTES), answered: OVER },
    {
      happens: 'has its person sign out',
      does: ({ shown }) =>
        clientFor(world.one.url).send(`${world.one.url}/sign-out`, {
          method: 'POST',
          headers: { ...headersOf(shown), origin: world.one.url },
          body: new URLSearchParams({ csrf: 'c'.repeat(43) }),
        }),
      answered: OVER,
    },
    {
      happens: 'has its person removed',
      does: async ({ place, person }) => done(await place.admin.delete(`/members/${person.userId}`)),
      answered: OVER,
    },
    {
      happens: 'has its person suspended',
      does: ({ person }) => suspendPerson(world.one.operator, { email: person.email, isSuspended: true }),
      answered: OVER,
    },
    {
      happens: 'has its person made a member',
      does: async ({ place, person }) =>
        done(await place.admin.patch(`/members/${person.userId}`, { role: 'MEMBER' })),
      answered: [403, 403],
    },
    {
      happens: 'has its person narrowed to an advertiser',
      does: ({ place, person }) => narrowElsewhere(place, `user:${person.userId}`),
      answered: [200, 403],
    },
    {
      happens: 'has its organization suspended',
      does: ({ place }) => suspend(place.owner.organizationId, true),
      answered: OVER,
    },
    {
      happens: 'has the parent of its organization suspended',
      does: ({ place }) => suspend(place.parent.organizationId, true),
      answered: OVER,
    },
    {
      happens: 'has its organization suspended and resumed',
      does: async ({ place }) => {
        await suspend(place.owner.organizationId, true);
        await suspend(place.owner.organizationId, false);
      },
      answered: GOES_ON,
    },
  ];

  test.each(moments)(
    'that $happens lists and makes keys as its person may then, in every process',
    async (moment) => {
      const place = await newPlace(world);
      const person = await signedInPerson(world.one, { organization: place.owner });
      const shown = `browser ${person.cookies.get('/ rialto_session')} ${'c'.repeat(43)}`;
      const browser = clientFor(world.one.url, shown);
      const token = await tokenFor(browser);
      const asked = () =>
        Promise.all(
          [world.one, world.other].map(async ({ url }) => {
            const widget = clientFor(url, token);
            const keys = `${url}/widgets/api-keys/keys`;
            const made = await widget.post(keys, { name: 'By the widget', permissions: ['buyer:read'] });
            return [(await widget.get(keys)).status, made.status];
          }),
        );
      expect(await asked()).toEqual([GOES_ON, GOES_ON]);

      await moment.does({ place, person, browser, shown });

      expect(await asked()).toEqual([moment.answered, moment.answered]);
    },
  );

  test('opens nothing but the widget, over REST or MCP', async () => {
    const place = await newPlace(world);
    const token = await tokenFor(place.admin);
    const { url } = world.one;
    const client = clientFor(url, token);

    expect([
      (await client.get('/buyer/advertisers')).status,
      (await client.get('/org-api-keys')).status,
      (await client.get('/org-api-keys/widget-token')).status,
      (await client.post(`${url}/mcp/v2/buyer`, {})).status,
    ]).toEqual([401, 401, 401, 401]);
  });
});

async function tokenFor(browser: Client): Promise<string> {
  return done(await browser.get('/org-api-keys/widget-token')).token;
}
