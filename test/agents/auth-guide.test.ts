import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mcpSurfaces } from '../../tools/core/surfaces.ts';
import { codeOn, confirmAt, personAtBrowser, type Stranger, stranger } from '../support/callers/agents.ts';
import { clientFor } from '../support/callers/client.ts';
import { newPerson } from '../support/callers/people.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SIZE_MAX = 8_192;

describe('the guide for agents without a credential', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      settings: { AGENT_TOKEN_SECONDS: '600', AGENT_CLAIM_SECONDS: '90', AGENT_REQUESTS_IN_ALL: '100000' },
    });
  });
  afterAll(() => server.stop());

  const read = async (url = server.url) => {
    const response = await fetch(`${url}/auth.md`);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };
  const metadata = async (url = server.url) =>
    (await clientFor(url).get(`${url}/.well-known/oauth-authorization-server`)).body;

  test('answers anybody, in Markdown of less than 8 KB, under its headings in the order of use', async () => {
    const { status, type, text } = await read();

    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(Buffer.byteLength(text)).toBeLessThan(SIZE_MAX);
    expect(text).not.toMatch(/undefined|\[object|NaN/);
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual([
      'Hosts',
      'Discover',
      'Pick a method',
      'Register',
      'Claim',
      'Exchange',
      'Use',
      'Refresh',
      'Errors',
      'Revoke',
      'Before and after the claim',
      'Never in chat',
    ]);
  });

  test('says the addresses, scopes and lifetimes that are in force, as the metadata does', async () => {
    const { text } = await read();
    const { agent_auth, ...others } = await metadata();

    expect(agent_auth).toEqual({
      skill: `${server.url}/auth.md`,
      identity_endpoint: `${server.url}/agent/identity`,
      claim_endpoint: `${server.url}/agent/identity/claim`,
      identity_types_supported: ['anonymous', 'service_auth'],
    });
    expect(others.grant_types_supported).toContain('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const addresses = [
      agent_auth.identity_endpoint,
      agent_auth.claim_endpoint,
      others.token_endpoint,
      others.revocation_endpoint,
    ];
    for (const address of addresses) expect(text).toContain(address);
    for (const said of ['sandbox:read', 'buyer:read buyer:write', '10 minutes', '90 seconds', '30 days']) {
      expect(text).toContain(said);
    }
  });

  test('names what is open before a claim and the MCP server of each surface, as the registry has them', async () => {
    const { text } = await read();
    const advertisers = `${server.url}/api/v2/buyer/advertisers`;

    expect(text).toContain(`GET and HEAD of ${advertisers} and ${advertisers}/{advertiserId}, in a sandbox`);
    for (const surface of mcpSurfaces) expect(text).toContain(`: ${server.url}/mcp/v2/${surface}\n`);
  });

  test('is led to by the list that programs read first', async () => {
    expect(await (await fetch(`${server.url}/llms.txt`)).text()).toContain(`${server.url}/auth.md`);
  });

  test('names every error that an agent may meet here, with its status', async () => {
    const { text } = await read();

    for (const [status, error] of ERRORS) expect(text).toContain(`- ${status} \`${error}\``);
  });

  test.each([
    ['anonymous', 'service_auth', 'service_auth_not_enabled'],
    ['service_auth', 'anonymous', 'anonymous_not_enabled'],
    ['off', 'anonymous', 'anonymous_not_enabled'],
    ['off', 'service_auth', 'service_auth_not_enabled'],
  ])('tells of nothing that is closed: with %s no %s', async (open, closed, error) => {
    const other = await startTestServer({ settings: { AGENT_REGISTRATION: open } });
    try {
      const { text } = await read(other.url);
      const told = (await metadata(other.url)).agent_auth.identity_types_supported;
      const agent = stranger(other);
      const body = { type: closed, login_hint: 'ada@acme.example' };
      const refused = await agent.post('/agent/identity', body);

      expect(text).not.toContain(`"type":"${closed}"`);
      expect(told).toEqual(open === 'off' ? [] : [open]);
      expect([refused.status, refused.body.error]).toEqual([403, error]);
    } finally {
      await other.stop();
    }
  });

  test('leads an agent that reads nothing else from nothing to a draft, once its user has confirmed', async () => {
    const owner = await newPerson(server);
    const user = await personAtBrowser(server, { organizationIds: [owner.organizationId] });
    const reader = reading((await read()).text, stranger(server));

    const registered = await reader.post('"type":"anonymous"', { type: 'anonymous' });
    const looking = await reader.enter(registered.identity.assertion);
    const seen = await looking.get(reader.exampleOfUse);
    const started = await reader.post('"claim_token":"clm_…","login_hint"', {
      type: 'service_auth',
      claim_token: registered.claim.token,
      login_hint: user.email,
    });
    const code = codeOn(await confirmAt(user, started.attempt.verification_uri));
    const claimed = await reader.post('"user_code"', {
      claim_token: registered.claim.token,
      user_code: code,
    });
    const refreshed = await reader.post('"type":"refresh"', {
      type: 'refresh',
      refresh_token: claimed.identity.refresh_token.value,
    });
    const acting = await reader.enter(refreshed.identity.assertion);
    const advertiser = await acting.post(reader.exampleOfUse, {
      name: 'Acme',
      brand: 'acme.example',
      saveBrand: true,
      primaryCurrency: 'USD',
      sandbox: true,
    });
    const campaign = await acting.post(reader.exampleOfUse.replace('/advertisers', '/campaigns'), {
      advertiserId: advertiser.body.data.id,
      name: 'Spring',
      flightDates: { startDate: '2027-03-01', endDate: '2027-03-31' },
      budget: { total: 10_000, currency: 'USD' },
    });

    expect(seen.status).toBe(200);
    expect(campaign.status).toBe(201);
    expect(campaign.body.data.campaign).toMatchObject({ status: 'DRAFT' });
    expect((await owner.get('/buyer/campaigns')).text).toContain(campaign.body.data.campaign.campaignId);
  });
});

const ERRORS = [
  [400, 'invalid_request'],
  [400, 'invalid_login_hint'],
  [400, 'invalid_refresh_token'],
  [403, 'anonymous_not_enabled'],
  [403, 'service_auth_not_enabled'],
  [429, 'rate_limited'],
  [401, 'invalid_claim_token'],
  [409, 'already_claimed'],
  [410, 'claim_expired'],
  [400, 'invalid_claim'],
  [401, 'invalid_user_code'],
  [409, 'claim_not_confirmed'],
  [410, 'user_code_expired'],
  [400, 'invalid_grant'],
  [400, 'invalid_target'],
] as const;

/** An agent that knows nothing but the text: it finds each address by what the text says is sent there. */
function reading(text: string, agent: Stranger) {
  const blocks = [...text.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const blockWith = (part: string) => {
    const block = blocks.find((one) => one.includes(part));
    if (block === undefined) throw new Error(`The guide shows no call with ${part}.`);
    return block;
  };
  const addressIn = (block: string) => /(?:GET|POST) (\S+)/.exec(block)?.[1] ?? '';
  const pathOf = (address: string) => new URL(address).pathname;
  const exampleOfUse = addressIn(blockWith('Authorization: Bearer <access_token>'));
  return {
    exampleOfUse,
    post: async (part: string, body: object) =>
      (await agent.post(pathOf(addressIn(blockWith(part))), body)).body,
    enter: async (assertion: string) => {
      const block = blockWith('&assertion=');
      const grant = /grant_type=([^&\s]+)/.exec(block)?.[1] ?? '';
      const fields = { grant_type: grant, assertion };
      const { body } = await agent.form(pathOf(addressIn(block)), fields);
      return clientFor(new URL(exampleOfUse).origin, body.access_token);
    },
  };
}
