import { createHash, randomBytes } from 'node:crypto';
import type { TestServer } from '../server/server.ts';
import { type Browser, type Consent, consentAt } from './consenting.ts';
import { CALLBACK } from './hosts.ts';

/** An answer of an OAuth endpoint. */
export interface OAuthReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

/** Steps of a program that speaks OAuth by hand. */
export function program({ url }: Pick<TestServer, 'url'>) {
  const read = async (response: Response): Promise<OAuthReply> => {
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const post = async (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) => read(await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers }));
  return {
    get: async (path: string, init: RequestInit = {}) =>
      read(await fetch(`${url}${path}`, { redirect: 'manual', ...init })),
    post,
    token: (fields: Readonly<Record<string, string>>, headers?: Readonly<Record<string, string>>) =>
      post('/auth/token', fields, headers),
    revoke: (token: string) => post('/auth/revoke', { token }),
    register: async (body: unknown) =>
      read(
        await fetch(`${url}/auth/register`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      ),
  };
}

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Where a program sends the person; a field that is undefined is left out. */
export function authorizeUrl(
  url: string,
  clientId: string,
  fields: Readonly<Record<string, string | undefined>>,
): URL {
  const all = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge_method: 'S256',
    scope: 'openid profile email',
    state: 'state-1',
    ...fields,
  };
  const given = Object.entries(all).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return new URL(`/authorize?${new URLSearchParams(given)}`, url);
}

export interface Connected {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
  readonly tokens: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly id_token: string;
    readonly scope: string;
    readonly expires_in: number;
    readonly token_type: string;
  };
}

/** What connecting may be told apart by. */
export interface Connecting {
  readonly resource?: string;
  readonly scope?: string;
  readonly consent?: Consent;
}

/** Registers a program, has a person let it in, and exchanges the code. */
export async function connect(
  server: Pick<TestServer, 'url'>,
  browser: Browser,
  { resource = '/mcp/v2/buyer', scope, consent }: Connecting = {},
): Promise<Connected> {
  const { register, token } = program(server);
  const { body: client } = await register({ client_name: 'A program', redirect_uris: [CALLBACK] });
  const { verifier, challenge } = newPkce();
  const address = authorizeUrl(server.url, client.client_id, {
    code_challenge: challenge,
    resource: `${server.url}${resource}`,
    ...(scope === undefined ? {} : { scope }),
  });
  const back = await consentAt(browser, address, consent);
  const code = back.searchParams.get('code') ?? '';
  const { status, body } = await token({
    grant_type: 'authorization_code',
    client_id: client.client_id,
    code,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
  });
  if (status !== 200) throw new Error(`${back} led to ${status} ${JSON.stringify(body)}`);
  return { clientId: client.client_id, code, verifier, tokens: body };
}

/** What a token says, unchecked. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

export function headerOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
}
