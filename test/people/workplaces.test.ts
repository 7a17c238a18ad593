import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findUserByEmail } from '../../store/unscoped/users.ts';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { clientOf, codeOn, confirmAt, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { clientFor } from '../support/callers/client.ts';
import { type Browser, consentAt, locationOf, signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { authorizeUrl, claimsOf, connect, newPkce, program } from '../support/callers/programs.ts';
import { done } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('who has a role above an account', () => {
  let server: TestServer;
  let above: Person;
  let below: Person;
  let stopped: Person;
  let outsider: Person;
  let browser: Browser;
  beforeAll(async () => {
    server = await startTestServer({ settings: { AGENT_REQUESTS_IN_ALL: '100000' } });
    above = await newPerson(server);
    below = await newPerson(server, { parentId: above.organizationId });
    stopped = await newPerson(server, { parentId: above.organizationId });
    outsider = await newPerson(server);
    await server.store.db
      .updateTable('organizations')
      .set({ suspended_at: server.operator.now })
      .where('id', '=', stopped.organizationId)
      .execute();
    browser = await signedInPerson(server, { organization: above });
  });
  afterAll(() => server.stop());

  /** The ids that a page lets choose. */
  const choicesOn = (text: string) =>
    [...text.matchAll(/(?:<option|type="radio" name="organization_id") value="(\d+)"/g)].map(([, id]) =>
      Number(id),
    );
  const both = () => [above.organizationId, below.organizationId].sort((one, other) => one - other);

  test('has a program work in it, and the page offers what may be switched to and nothing else', async () => {
    const { body } = await program(server).register({ client_name: 'App', redirect_uris: [CALLBACK] });
    const address = authorizeUrl(server.url, body.client_id, { code_challenge: newPkce().challenge });
    const page = await (await browser.go(locationOf(await browser.go(address), address))).text();

    const { tokens } = await connect(server, browser, { consent: { organization: below.organizationId } });
    const made = await below.post('/buyer/advertisers', {
      ...{ name: 'Only below', brand: 'below.example', saveBrand: true, primaryCurrency: 'USD' },
    });
    const seen = await clientFor(server.url, tokens.access_token).get('/buyer/advertisers');

    expect(choicesOn(page).sort((one, other) => one - other)).toEqual(both());
    expect(page).toMatch(/\(below Organization \d+\)/);
    expect(claimsOf(tokens.access_token)['org_id']).toBe(below.organizationId);
    expect(seen.body.data.items.map(({ id }: { id: string }) => id)).toEqual([made.body.data.id]);
    for (const { organizationId } of [outsider, stopped]) {
      await expect(consentAt(browser, address, { organization: organizationId })).rejects.toThrow();
    }
  });

  test('has an agent work in it, from the page on which it is claimed', async () => {
    const person = await personAtBrowser(server, { organizationIds: [above.organizationId] });
    const agent = stranger(server);
    const { body } = await agent.post('/agent/identity', { type: 'service_auth', login_hint: person.email });
    const { token, attempt } = body.claim;

    const page = await person.get(attempt.verification_uri);
    const elsewhere = await confirmAt(person, attempt.verification_uri, outsider.organizationId);
    const code = codeOn(await confirmAt(person, attempt.verification_uri, below.organizationId));
    const completed = await agent.post('/agent/identity/claim/complete', {
      ...{ claim_token: token, user_code: code },
    });
    const works = await clientOf(server, agent, completed.body.identity.assertion);

    expect(choicesOn(page.text).sort((one, other) => one - other)).toEqual(both());
    expect(elsewhere.status).toBe(403);
    const names = (await works.get('/buyer/advertisers')).body.data.items.map(
      (one: { name: string }) => one.name,
    );
    expect(names).toContain('Only below');
    expect((await person.get('/settings/agents')).text).toContain('for <bdi>Organization');
  });

  test('works in it at a browser, chosen on the page of organizations', async () => {
    const person = await personAtBrowser(server, { organizationIds: [above.organizationId] });
    const page = await person.get('/settings/organizations');
    const choose = (id: number) =>
      person.submit(page, '/settings/organizations', { organization: String(id) });

    const chosen = await choose(below.organizationId);
    const refused = await choose(outsider.organizationId);
    const advertisers = await person.get('/api/v2/buyer/advertisers');

    expect(page.text).not.toContain(`value="${stopped.organizationId}"`);
    expect(chosen.status).toBe(303);
    expect(refused.status).toBe(422);
    expect(advertisers.text).toContain('Only below');
  });

  test('has no place in it while grants narrow that role', async () => {
    const person = await personAtBrowser(server, { organizationIds: [above.organizationId] });
    const choose = async (id: number) =>
      (
        await person.submit(await person.get('/settings/organizations'), '/settings/organizations', {
          organization: String(id),
        })
      ).status;
    expect(await choose(below.organizationId)).toBe(303);
    const lamps = { name: 'Lamps', brand: 'lamps.example', saveBrand: true, primaryCurrency: 'USD' };
    const { id } = done(await above.post('/buyer/advertisers', lamps));
    await above.post('/buyer/advertisers', { ...lamps, name: 'More lamps' });
    const user = await findUserByEmail(server.store.db, person.email);
    await giveGrant(server.operator, {
      organizationId: above.organizationId,
      holder: `user:${user?.id}`,
      advertiserId: Number(id),
    });

    expect((await person.get('/api/v2/buyer/advertisers')).status).toBe(401);
    expect(await choose(below.organizationId)).toBe(422);
    expect(await choose(above.organizationId)).toBe(303);
    const shown = JSON.parse((await person.get('/api/v2/buyer/advertisers')).text).data.items;
    expect(shown.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  test('loses the program and the agent there with the role above', async () => {
    const passing = await signedInPerson(server, { organization: above });
    const { tokens } = await connect(server, passing, { consent: { organization: below.organizationId } });
    const client = clientFor(server.url, tokens.access_token);
    expect((await client.get('/buyer/advertisers')).status).toBe(200);

    await server.store.db
      .deleteFrom('memberships')
      .where('user_id', '=', passing.userId)
      .where('organization_id', '=', above.organizationId)
      .execute();

    expect((await client.get('/buyer/advertisers')).status).toBe(401);
  });
});
