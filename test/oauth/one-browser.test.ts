import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashSessionValue } from '../../adapters/auth/session.ts';
import {
  type Browser,
  consentAt,
  jarWith,
  locationOf,
  signedInPerson,
} from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { authorizeUrl, newPkce, program } from '../support/callers/programs.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PUBLIC = 'https://market.example';

describe('a request for authorization stays in the browser that it began in', () => {
  let server: TestServer;
  let secure: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    secure = await startTestServer({ settings: { PUBLIC_URL: PUBLIC, ALLOWED_HOSTS: '127.0.0.1' } });
  });
  afterAll(() => Promise.all([server.stop(), secure.stop()]));

  async function addressOn(on: TestServer): Promise<URL> {
    const { body } = await program(on).register({ client_name: 'App', redirect_uris: [CALLBACK] });
    return authorizeUrl(on.url, body.client_id, { code_challenge: newPkce().challenge });
  }
  const allow = ({ organization }: Browser) => ({
    method: 'POST',
    body: new URLSearchParams({
      csrf: 'c'.repeat(43),
      organization: String(organization.organizationId),
      answer: 'allow',
    }),
  });
  /** What another host of the domain can have a browser send: all that no `__Host-` keeps it from. */
  const plant = (from: Pick<Browser, 'cookies'>, into: Pick<Browser, 'cookies'>) => {
    for (const [key, cookie] of from.cookies) {
      if (/_(interaction|resume)$/.test(key)) into.cookies.set(key, cookie);
    }
  };
  const namesIn = ({ cookies }: Pick<Browser, 'cookies'>) =>
    [...cookies.values()].map((cookie) => cookie.split('=')[0]);
  const grantsOf = ({ userId }: Browser) =>
    server.store.db
      .withoutPlugins()
      .selectFrom('oauth_grants')
      .select('id')
      .where('user_id', '=', userId)
      .execute();

  test('is neither shown nor allowed where its cookies were planted in another', async () => {
    const attacker = jarWith();
    const victim = await signedInPerson(server);
    const page = locationOf(await attacker.go(await addressOn(server)), server.url);
    plant(attacker, victim);

    const shown = await victim.go(page);
    const allowed = await victim.go(page, allow(victim));
    const denied = await victim.go(page, { ...allow(victim), body: new URLSearchParams({ answer: 'deny' }) });

    for (const answer of [shown, allowed, denied]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
    expect(await grantsOf(victim)).toEqual([]);
  });

  test('is not to be had either by a browser that has begun one of its own', async () => {
    const attacker = jarWith();
    const victim = await signedInPerson(server);
    await victim.go(await addressOn(server));
    const page = locationOf(await attacker.go(await addressOn(server)), server.url);
    plant(attacker, victim);

    expect((await victim.go(page)).status).toBe(400);
    expect((await victim.go(page, allow(victim))).status).toBe(400);
  });

  test('leads on in no other browser after it was allowed', async () => {
    const person = await signedInPerson(server);
    const [other, fresh] = [await signedInPerson(server), jarWith()];
    const page = locationOf(await person.go(await addressOn(server)), server.url);
    await other.go(await addressOn(server));
    plant(person, other);
    plant(person, fresh);
    const resumed = locationOf(await person.go(page, allow(person)), server.url);

    for (const one of [other, fresh]) {
      const answer = await one.go(resumed);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
    const back = locationOf(await person.go(resumed), server.url);
    expect(back.searchParams.get('code')).toMatch(/^[\w-]{40,}$/);
  });

  test('is not taken for over where nobody could look it up', async () => {
    const own = await startTestServer({ own: true });
    const db = own.store.db.withoutPlugins();
    const person = await signedInPerson(own);
    const page = locationOf(await person.go(await addressOn(own)), own.url);

    await sql`alter table oauth_artifacts rename to oauth_artifacts_away`.execute(db);
    const { status } = await person.go(page);
    await sql`alter table oauth_artifacts_away rename to oauth_artifacts`.execute(db);

    expect(status).toBeGreaterThanOrEqual(500);
    expect(own.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect((await person.go(page)).status).toBe(200);
    await own.stop();
  });

  test('leads on at its own address alone', async () => {
    const person = await signedInPerson(server);
    const [first, second] = [await addressOn(server), await addressOn(server)];
    const allowed = async (address: URL) => {
      const page = locationOf(await person.go(address), server.url);
      return locationOf(await person.go(page, allow(person)), server.url);
    };
    const [one, other] = [await allowed(first), await allowed(second)];
    const ofOther = [...person.cookies].find(([key]) => key.startsWith(`${other.pathname} `))?.[1] ?? '';

    const crossed = await fetch(one, {
      redirect: 'manual',
      headers: {
        cookie: [
          ofOther,
          ...[...person.cookies].flatMap(([key, cookie]) => (key.startsWith('/ ') ? [cookie] : [])),
        ].join('; '),
      },
    });

    expect(crossed.status).toBe(400);
    for (const address of [one, other]) {
      expect(locationOf(await person.go(address), server.url).searchParams.has('code')).toBe(true);
    }
  });

  test('goes on when its person opens several at once, and answers them in any order', async () => {
    const person = await signedInPerson(server);
    const pages = [];
    for (const address of [await addressOn(server), await addressOn(server)]) {
      pages.push(locationOf(await person.go(address), server.url));
    }

    for (const page of pages.toReversed()) {
      const resumed = locationOf(await person.go(page, allow(person)), server.url);
      expect(locationOf(await person.go(resumed), server.url).searchParams.has('code')).toBe(true);
    }
  });

  test('is told by a cookie that over https no other host of the domain can set, and of which a hash is kept', async () => {
    const [plain, safe] = [jarWith(), jarWith()];
    const asked = await plain.go(await addressOn(server));
    const guarded = await safe.go(await addressOn(secure));
    const line = (answer: Response) =>
      answer.headers.getSetCookie().find((one) => one.includes('_connecting='));

    expect(line(asked)).toMatch(
      /^rialto_connecting=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600$/,
    );
    expect(line(guarded)).toMatch(
      /^__Host-rialto_connecting=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure$/,
    );
    expect(namesIn(safe)).toContain('__Host-rialto_connecting');
    const value = /_connecting=([\w-]{43})/.exec(line(asked) ?? '')?.[1] ?? '';
    const rows = await server.store.db
      .selectFrom('oauth_artifacts')
      .select('payload')
      .where('kind', '=', 'InteractionBrowser')
      .execute();
    expect(rows.map(({ payload }) => payload)).toContain(hashSessionValue(value));
    expect(JSON.stringify(rows)).not.toContain(value);
  });

  test('is not believed by a cookie of the name that others may set, where there is https', async () => {
    const person = await signedInPerson(secure);
    const session = [...person.cookies.values()][0]?.replace('rialto_session', '__Host-rialto_session') ?? '';
    person.cookies.clear();
    person.cookies.set('/ __Host-rialto_session', session);
    const address = await addressOn(secure);
    const page = locationOf(await person.go(address), secure.url);
    const own = person.cookies.get('/ __Host-rialto_connecting') ?? '';
    const at = `${secure.url}${page.pathname}`;
    expect((await person.go(at)).status).toBe(200);

    person.cookies.delete('/ __Host-rialto_connecting');
    person.cookies.set('/ rialto_connecting', own.replace('__Host-', ''));

    expect((await person.go(at)).status).toBe(400);
  });

  test('goes on where the person had to sign in first', async () => {
    const person = await signedInPerson(server);
    const [session] = [...person.cookies];
    person.cookies.clear();
    const address = await addressOn(server);
    const page = locationOf(await person.go(address), server.url);
    expect(locationOf(await person.go(page), server.url).pathname).toBe('/sign-in');

    if (session !== undefined) person.cookies.set(...session);

    expect((await person.go(page)).status).toBe(200);
    expect((await consentAt(person, address)).searchParams.has('code')).toBe(true);
  });
});
