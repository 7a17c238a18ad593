import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveAccess } from '../../tools/domain/organizations/programs.ts';
import { clientFor } from '../support/callers/client.ts';
import { type Browser, browserOf, signedInPerson } from '../support/callers/consenting.ts';
import { connect, program } from '../support/callers/programs.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the page of programs', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  /** A browser at the page: what it shows, and what a form of it sends. */
  function pageOf({ go }: Browser) {
    const url = `${server.url}/settings/programs`;
    const read = async () => (await go(url)).text();
    const send = async (fields: Readonly<Record<string, string>>, csrf = 'c'.repeat(43)) =>
      go(url, {
        method: 'POST',
        body: new URLSearchParams({ csrf, ...fields }),
        headers: { origin: server.url },
      });
    return { read, send };
  }

  const statusOf = async (token: string) =>
    (await clientFor(server.url, token).get('/buyer/campaigns')).status;
  const idsOn = (text: string) =>
    [...text.matchAll(/name="id" value="(ogr_[^"]+)"/g)].map(([, id = '']) => id);

  test('shows what somebody let in: for which organization, and how much it may do', async () => {
    const person = await signedInPerson(server);
    await connect(server, person);
    await connect(server, person, { scope: 'openid buyer:read buyer:write' });
    await connect(server, person, { consent: { access: 'read' } });

    const text = await pageOf(person).read();

    expect(idsOn(text)).toHaveLength(3);
    for (const words of ['A program', 'whatever you may do', 'buyer:read, buyer:write', 'reads only']) {
      expect(text).toContain(words);
    }
  });

  test('disconnects one at once, with what it would renew itself by, and leaves the others', async () => {
    const person = await signedInPerson(server);
    const kept = await connect(server, person);
    const ended = await connect(server, person);
    const [newest = ''] = idsOn(await pageOf(person).read());

    const answer = await pageOf(person).send({ id: newest });

    const { status } = await program(server).token({
      grant_type: 'refresh_token',
      client_id: ended.clientId,
      refresh_token: ended.tokens.refresh_token,
    });
    expect(answer.headers.get('location')).toBe('/settings/programs?done=ended');
    expect([await statusOf(ended.tokens.access_token), status]).toEqual([401, 400]);
    expect(await statusOf(kept.tokens.access_token)).toBe(200);
    expect(idsOn(await pageOf(person).read())).toHaveLength(1);
    const [entry] = await server.store.db
      .withoutPlugins()
      .selectFrom('audit_logs')
      .selectAll()
      .where('tool', '=', 'oauth_grant_end')
      .where('resource_id', '=', newest)
      .execute();
    expect(entry).toMatchObject({
      organization_id: person.organization.organizationId,
      user_email: person.email,
      action: 'DELETE',
    });
  });

  test('disconnects all of them together', async () => {
    const person = await signedInPerson(server);
    const tokens = [await connect(server, person), await connect(server, person)];

    await pageOf(person).send({});

    for (const { access_token } of tokens.map((one) => one.tokens))
      expect(await statusOf(access_token)).toBe(401);
    expect(await pageOf(person).read()).toContain('You have let no program in.');
  });

  test('disconnects with all of them those that it has no room for, and says that there may be more', async () => {
    const person = await signedInPerson(server);
    const { organizationId } = person.organization;
    const oldest = await connect(server, person);
    for (let count = 0; count < 200; count += 1) {
      await giveAccess(server.operator, {
        userId: person.userId,
        organizationId,
        clientId: 'oc_often',
        clientName: 'A host that registers anew',
        readOnly: false,
        payload: { openid: { scope: 'openid' }, resources: {} },
        expiresAt: '2099-01-01T00:00:00.000Z',
      });
    }
    const text = await pageOf(person).read();

    await pageOf(person).send({});

    expect(idsOn(text)).toHaveLength(200);
    expect(text).toContain('These are the latest 200.');
    expect(await statusOf(oldest.tokens.access_token)).toBe(401);
    expect(await pageOf(person).read()).toContain('You have let no program in.');
  });

  test('shows and ends nobody else’s, and takes no form that another page made', async () => {
    const person = await signedInPerson(server);
    const { tokens } = await connect(server, person);
    const [id = ''] = idsOn(await pageOf(person).read());
    const other = await signedInPerson(server, { organization: person.organization });

    await pageOf(other).send({ id });
    await pageOf(other).send({});
    const forged = await pageOf(person).send({ id }, 'x'.repeat(43));

    expect(await pageOf(other).read()).not.toContain(id);
    expect(forged.status).toBe(403);
    expect(await statusOf(tokens.access_token)).toBe(200);
  });

  test('shows nothing any more of a person who signed out', async () => {
    const person = await signedInPerson(server);
    await connect(server, person);
    const stranger = await browserOf(server, await signedInPerson(server));
    stranger.cookies.clear();

    const answer = await stranger.go(`${server.url}/settings/programs`);

    expect(answer.headers.get('location')).toBe('/sign-in?return_to=%2Fsettings%2Fprograms');
  });
});
