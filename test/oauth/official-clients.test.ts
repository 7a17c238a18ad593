import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, consentAt, signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK, hostMemory } from '../support/callers/hosts.ts';
import { runningClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const ADDRESSES = [
  ['/mcp/v2/buyer', 'advertiser_list'],
  ['/mcp/buyer', 'advertiser_list'],
  ['/mcp/v2/storefront', 'product_list'],
  ['/mcp/storefront', 'product_list'],
] as const;
const info = { name: 'test', version: '1' };

describe('a client that was given nothing but the address', () => {
  let server: TestServer;
  let person: Browser;
  beforeAll(async () => {
    // Clients check the tokens by the clock of this machine.
    const began = Date.now();
    const clock = runningClock();
    const first = clock.now();
    server = await startTestServer({ clock: { ...clock, now: () => began + clock.now() - first } });
    person = await signedInPerson(server);
  });
  afterAll(() => server.stop());

  test.each(ADDRESSES)('calls a tool, of the first generation, at %s', async (path, tool) => {
    const host = hostMemory();
    const open = () => new FirstTransport(new URL(`${server.url}${path}`), { authProvider: host });
    const refused = open();
    await expect(new FirstClient(info).connect(refused as Transport)).rejects.toThrow('Unauthorized');
    const back = await consentAt(person, host.asked());
    await refused.finishAuth(back.searchParams.get('code') ?? '');

    const client = new FirstClient(info);
    await client.connect(open() as Transport);
    const answer = await client.callTool({ name: tool, arguments: {} });

    expect(answer).not.toHaveProperty('isError', true);
    expect(host.asked().searchParams.get('resource')).toBe(`${server.url}${path}`);
    await client.close();
  });

  test.each(ADDRESSES)('calls a tool, of today, at %s', async (path, tool) => {
    const host = hostMemory();
    const open = () =>
      new StreamableHTTPClientTransport(new URL(`${server.url}${path}`), { authProvider: host });
    const refused = open();
    await expect(new Client(info).connect(refused)).rejects.toThrow();
    const back = await consentAt(person, host.asked());
    await refused.finishAuth(back.searchParams);

    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(open());
    const answer = await client.callTool({ name: tool, arguments: {} });

    expect(answer).not.toHaveProperty('isError', true);
    await client.close();
  });

  test('goes on with a new token when the old one is over, without asking anybody', async () => {
    const host = hostMemory();
    const address = new URL(`${server.url}/mcp/buyer`);
    const refused = new FirstTransport(address, { authProvider: host });
    await expect(new FirstClient(info).connect(refused as Transport)).rejects.toThrow('Unauthorized');
    const back = await consentAt(person, host.asked());
    await refused.finishAuth(back.searchParams.get('code') ?? '');
    const tokens = await host.tokens();
    await host.saveTokens({ ...tokens, access_token: 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA', token_type: 'Bearer' });

    const client = new FirstClient(info);
    await client.connect(new FirstTransport(address, { authProvider: host }) as Transport);

    expect((await client.listTools()).tools.length).toBeGreaterThan(1);
    expect((await host.tokens())?.refresh_token).not.toBe(tokens?.refresh_token);
    await client.close();
  });

  test('of OpenID Connect finds everything out, and knows who the person is', async () => {
    const config = await openid.dynamicClientRegistration(
      new URL(server.url),
      {
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'ES256',
      },
      openid.None(),
      { execute: [openid.allowInsecureRequests] },
    );
    const verifier = openid.randomPKCECodeVerifier();
    const nonce = openid.randomNonce();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid profile email',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: 'here',
      nonce,
    });

    const back = await consentAt(person, address);
    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: 'here',
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const known = await openid.fetchUserInfo(config, tokens.access_token, String(person.userId));

    expect(tokens.claims()).toMatchObject({ sub: String(person.userId), email: person.email });
    expect(known).toMatchObject({ sub: String(person.userId), email: person.email, email_verified: false });
  });
});
