import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

/** What a provider says of who signs in there. */
export interface Somebody {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Settings of a service that has its people sign in there. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export const CLIENT = { id: 'rialto-at-acme', secret: 'a secret that both of them know' };

function settingsFor(issuer: string): Readonly<Record<string, string>> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_ALLOWED_CIDRS: '127.0.0.0/8',
  };
}

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

async function open(make: (issuer: string) => Promise<Handle>): Promise<IdentityProvider> {
  let handle: Handle = (_req, res) => void res.writeHead(503).end();
  const server = createServer((req, res) => handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  handle = await make(issuer);
  return {
    issuer,
    settings: settingsFor(issuer),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A real provider, where whoever comes is signed in as the person that `who` gives. */
export function realProvider(
  callback: (issuer: string) => string,
  who: () => Somebody,
): Promise<IdentityProvider> {
  return open(async (issuer) => {
    const provider = new Provider(issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [callback(issuer)] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      cookies: { keys: ['a key of the test'] },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...who(), sub }) }),
      loadExistingGrant: async (ctx) => {
        const grant = new ctx.oidc.provider.Grant({
          clientId: CLIENT.id,
          accountId: ctx.oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    const asProvider = provider.callback();
    return (req, res) => {
      if (req.url?.startsWith('/interaction/')) {
        void provider.interactionFinished(req, res, { login: { accountId: who().sub } });
      } else {
        void asProvider(req, res);
      }
    };
  });
}

export interface Lies {
  readonly claims?: JWTPayload;
  /** Signed by a key that is in no list of the provider. */
  readonly foreignKey?: boolean;
  /** Says in its own description that it is another. */
  readonly issuer?: string;
  /** Leads whoever asks for its keys elsewhere. */
  readonly jwksUri?: string;
}

/** What lying providers sign with, and a key that none of them publishes: one of RSA takes long to make. */
let signing: Promise<readonly [Keys, Keys]> | undefined;
type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

function signingKeys(): Promise<readonly [Keys, Keys]> {
  signing ??= Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  return signing;
}

/** A provider that says whatever a test has it say. The nonce is taken from the code: `code=<nonce>`. */
export async function lyingProvider(lies: () => Lies): Promise<IdentityProvider> {
  const [own, foreign] = await signingKeys();
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  return open(async (issuer) => {
    const description = () => ({
      issuer: lies().issuer ?? issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: lies().jwksUri ?? `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
    const token = async (nonce: string) => {
      const { claims = {}, foreignKey = false } = lies();
      const now = Math.floor(Date.now() / 1_000);
      const said = {
        iss: issuer,
        aud: CLIENT.id,
        sub: 'somebody',
        iat: now,
        exp: now + 60,
        nonce,
        ...claims,
      };
      return new SignJWT(said)
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .sign(foreignKey ? foreign.privateKey : own.privateKey);
    };
    return (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', async () => {
        const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? '';
        const answers: Readonly<Record<string, () => unknown>> = {
          '/.well-known/openid-configuration': description,
          '/jwks': () => ({ keys: [jwk] }),
          '/token': async () => ({ access_token: 'x', token_type: 'Bearer', id_token: await token(code) }),
        };
        const answer = answers[req.url ?? ''];
        res.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
        res.end(JSON.stringify((await answer?.()) ?? {}));
      });
    };
  });
}
