import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantAdd } from '../../adapters/cli/grants.ts';
import { limitSpend } from '../support/buying/spend-limits.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { readStream } from '../support/callers/event-reader.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectEnded, expectRefusal } from '../support/callers/refusals.ts';
import { engine } from '../support/database/database.ts';
import { skippingClock } from '../support/run/skipping-clock.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { everythingKept } from '../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SECRET = 'what-we-show-the-keeper-of-keys';

describe('keys that a service elsewhere keeps', () => {
  let keeper: ChildProcess;
  let server: TestServer;
  let url = '';
  beforeAll(async () => {
    keeper = spawn(process.execPath, [join(import.meta.dirname, '../support/callers/key-keeper.mjs')], {
      env: { KEEPER_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (keeper.stdout === null) throw new Error('The keeper has no output.');
    const [port] = await once(keeper.stdout, 'data');
    url = `http://127.0.0.1:${String(port).trim()}`;
    server = await startTestServer({ settings: settingsWith('0') });
  });
  const settingsWith = (cacheMs: string) => ({
    CREDENTIAL_PROVIDER_URL: url,
    CREDENTIAL_PROVIDER_SECRET: SECRET,
    CREDENTIAL_PROVIDER_CACHE_MS: cacheMs,
  });
  afterAll(async () => {
    await server.stop();
    keeper.kill();
  });

  test('are made, used, listed and revoked there, and are the organization’s here', async () => {
    const [owner, other] = [await newPerson(server), await newPerson(server)];
    const admin = clientFor(server.url, await owner.browser());

    const made = await admin.post('/org-api-keys', { name: 'Far', permissions: ['buyer:read'] });

    expect(made.status).toBe(201);
    const { id, value } = made.body.data.apiKey;
    const script = clientFor(server.url, value);
    expect((await script.get('/buyer/campaigns')).status).toBe(200);
    expect((await script.get('/buyer/audit-logs')).status).toBe(403);
    const list = await admin.get('/org-api-keys');
    expect(list.body.data).toMatchObject({ total: 1, apiKeys: [{ id, name: 'Far' }] });
    expect(list.text).not.toContain(value);
    const stranger = clientFor(server.url, await other.browser());
    expect((await stranger.delete(`/org-api-keys/${id}`)).status).toBe(404);
    expect((await admin.delete(`/org-api-keys/${id}`)).status).toBe(200);
    expect((await script.get('/buyer/campaigns')).status).toBe(401);
    expect(await everythingKept(server)).not.toContain(value);
  });

  test('end at once in every process when they are revoked here, however long the word on them is believed', async () => {
    const one = await startTestServer({ settings: settingsWith('300000') });
    const others =
      engine === 'postgres'
        ? [await startTestServer({ settings: settingsWith('300000'), database: one.database })]
        : [];
    const all = [one, ...others];
    const owner = await newPerson(one);
    const admin = clientFor(one.url, await owner.browser());
    const make = async () =>
      (await admin.post('/org-api-keys', { name: 'Far', permissions: ['buyer:read'] })).body.data.apiKey;
    const [ended, kept] = [await make(), await make()];
    const statuses = ({ value }: { value: string }) =>
      Promise.all(all.map(async (at) => (await clientFor(at.url, value).get('/buyer/campaigns')).status));
    expect([await statuses(ended), await statuses(kept)]).toEqual([all.map(() => 200), all.map(() => 200)]);

    expect((await admin.delete(`/org-api-keys/${ended.id}`)).status).toBe(200);

    expect([await statuses(ended), await statuses(kept)]).toEqual([all.map(() => 401), all.map(() => 200)]);
    for (const server of others) await server.stop();
    await one.stop();
  });

  /** Somebody who made a key that is kept there, and a client that shows it. */
  async function madeKey(organizationId: number, permissions: readonly string[]) {
    const { credential } = await newBrowser(server, organizationId);
    const maker = clientFor(server.url, credential);
    const { id, value } = done(await maker.post('/org-api-keys', { name: 'Far', permissions })).apiKey;
    return { maker, id, holder: `api_key:${id}`, script: clientFor(server.url, value) };
  }

  test('have what they ask for allowed by somebody else than who made them', async () => {
    const owner = await newPerson(server);
    const { storefrontId } = await openStorefront(await newPerson(server));
    const advertiserId = await newAdvertiser(owner);
    await limitSpend(server, owner, 50);
    const { maker, script } = await madeKey(owner.organizationId, ['buyer:read', 'buyer:write']);
    const { campaignId } = await draftCampaign(owner, { advertiserId, storefrontIds: [storefrontId] });
    const { approval } = done(await script.post(`/buyer/campaigns/${campaignId}/execute`));
    const approve = (by: Client) => by.post(`/buyer/spend-approvals/${approval.approvalId}/approve`);

    const refused = await approve(maker);

    expectRefusal(refused, 403, {
      code: 'FORBIDDEN',
      words: /another person has to decide/,
    });
    expect((await approve(clientFor(server.url, await owner.browser()))).status).toBe(200);
  });

  test('are narrowed by grants as any other, once the service that keeps them knows them', async () => {
    const [owner, other] = [await newPerson(server), await newPerson(server)];
    const { organizationId } = owner;
    const [reached, beyond] = [await newAdvertiser(owner), await newAdvertiser(owner)];
    const { maker, id, holder, script } = await madeKey(organizationId, ['buyer:read', 'buyer:write']);
    const grant = (organization: number, to: string) =>
      grantAdd(server.operator, server.config, { organization, holder: to, advertiser: Number(reached) });

    await expect(grant(organizationId, 'api_key:key_nobodys')).rejects.toThrow('is no live key');
    await expect(grant(other.organizationId, holder)).rejects.toThrow('is no live key');
    await grant(organizationId, holder);

    const { items } = done(await script.get('/buyer/advertisers'));
    expect(items.map((one: { id: string }) => one.id)).toEqual([reached]);
    expect((await script.get(`/buyer/advertisers/${beyond}`)).status).toBe(403);
    expect((await maker.delete(`/org-api-keys/${id}`)).status).toBe(200);
    await expect(grant(organizationId, holder)).rejects.toThrow('is no live key');
  });

  test('have no webhooks while grants narrow them, for whether they live is known only when they call', async () => {
    const owner = await newPerson(server);
    const advertiser = Number(await newAdvertiser(owner));
    const { organizationId } = owner;
    const { maker, id, holder, script } = await madeKey(organizationId, ['buyer:read', 'buyer:write']);
    const subscribing = (path: string) =>
      script.post('/buyer/webhook-subscriptions', {
        url: `https://127.255.255.254/${path}`,
        eventTypes: ['campaign.updated'],
        secret: 'one that nobody guesses',
      });
    const subscriptions = async () =>
      done(await owner.get('/buyer/webhook-subscriptions')).subscriptions.map(
        (one: { id: string }) => one.id,
      );
    const before = done(await subscribing('before')).subscription;
    await grantAdd(server.operator, server.config, { organization: organizationId, holder, advertiser });

    expectRefusal(await subscribing('after'), 403, {
      code: 'FORBIDDEN',
      words: 'This key is kept by a service elsewhere and narrowed by grants: it can have no webhooks.',
    });
    expect(await subscriptions()).toEqual([before.id]);
    await maker.delete(`/org-api-keys/${id}`);
    expect(await subscriptions()).toEqual([]);
  });

  test('are told of in the audit log as those that are kept here, from being made to their end', async () => {
    const owner = await newPerson(server, { permissions: ['buyer:admin'] });
    const { organizationId } = owner;
    const { maker, id, holder, script } = await madeKey(organizationId, ['buyer:read', 'buyer:write']);
    const { id: subscription } = await subscribe(script, 'https://127.255.255.254/told');
    const advertiser = Number(await newAdvertiser(owner));
    await grantAdd(server.operator, server.config, { organization: organizationId, holder, advertiser });

    done(await maker.delete(`/org-api-keys/${id}`));

    const { logs } = done(await owner.get('/buyer/audit-logs?take=50'));
    const told = (tool: string) => logs.find((entry: { tool: string }) => entry.tool === tool);
    expect(told('org_api_key_create')).toMatchObject({
      resourceName: 'Far',
      changes: { permissions: { to: ['buyer:read', 'buyer:write'] } },
    });
    expect(told('org_api_key_delete')).toMatchObject({
      resourceName: 'Far',
      changes: {
        revoked: { from: false, to: true },
        webhookSubscriptions: { from: [subscription], to: [] },
      },
    });
  });

  test('end what is open with them when that service has revoked them and its word is believed no more', async () => {
    const clock = skippingClock();
    const settings = { ...settingsWith('60000'), PROCESS_LEASE_MS: '600000' };
    const here = await startTestServer({ clock, settings });
    try {
      const owner = await newPerson(here);
      const admin = clientFor(here.url, await owner.browser());
      const made = await admin.post('/org-api-keys', { name: 'Far', permissions: ['buyer:read'] });
      const { id, value } = made.body.data.apiKey;
      const events = await readStream(here, { key: value }, { path: '/buyer/events' });

      // It is asked about once because it is new: here already, so that it is not for that below.
      for (let looks = 0; looks < 3; looks += 1) {
        clock.skip(1_000);
        expect((await clientFor(here.url, value).get('/buyer/campaigns')).status).toBe(200);
      }
      const there = `${url}/organizations/${owner.organizationId}/keys/${id}`;
      await fetch(there, { method: 'DELETE', headers: { authorization: `Bearer ${SECRET}` } });
      clock.skip(60_000);

      const [last, ...more] = await events.rest();
      expectEnded(last, { code: 'UNAUTHORIZED', words: 'The credential is unknown, expired or revoked.' });
      expect(more).toEqual([]);
    } finally {
      await here.stop();
    }
  });

  test('are asked about there, and nothing that looks like a credential of ours', async () => {
    const secret = 'x'.repeat(43);
    const ours = [
      `rialtok_live_${'0'.repeat(46)}`,
      `rialto_${secret}`,
      `rialtos_${secret}`,
      `svc_01.${secret}`,
      'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.AAAA',
      `agr_${secret}`,
      `clm_${secret}`,
      `att_${secret}`,
    ];
    for (const value of [...ours, 'ext_nobodys']) {
      expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(401);
    }

    const answer = await fetch(`${url}/asked`, { headers: { authorization: `Bearer ${SECRET}` } });
    const asked: unknown = await answer.json();
    expect(asked).toContain('ext_nobodys');
    for (const value of ours) expect(asked).not.toContain(value);
  });

  test('hand on the token of that service’s widget; ours is not there, and its secret is nowhere', async () => {
    const owner = await newPerson(server);
    const admin = clientFor(server.url, await owner.browser());

    const token = await admin.get('/org-api-keys/widget-token');
    const page = await fetch(`${server.url}/widgets/api-keys`);
    const texts = [token.text, await page.text(), (await admin.get('/org-api-keys')).text];

    expect(token.body.data.token).toMatch(/^wt_/);
    expect(page.status).toBe(404);
    texts.push(await everythingKept(server));
    for (const text of texts) expect(text).not.toContain(SECRET);
  });

  test('keys made at the command line work beside them', async () => {
    const owner = await newPerson(server);
    expect((await owner.get('/buyer/campaigns')).status).toBe(200);
  });

  test('503 SERVICE_UNAVAILABLE while that service is away, for what needs it alone', async () => {
    const away = await startTestServer({
      settings: { CREDENTIAL_PROVIDER_URL: 'http://127.255.255.254:9', CREDENTIAL_PROVIDER_SECRET: SECRET },
    });
    try {
      const owner = await newPerson(away);
      const admin = clientFor(away.url, await owner.browser());
      expect((await admin.get('/org-api-keys')).status).toBe(503);
      expect((await clientFor(away.url, 'ext_unknown_key').get('/buyer/campaigns')).status).toBe(503);
      expect((await owner.get('/buyer/campaigns')).status).toBe(200);
    } finally {
      await away.stop();
    }
  });
});
