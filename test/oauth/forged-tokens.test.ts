import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigningPair } from '../../adapters/auth/signing-pairs.ts';
import { clientFor } from '../support/callers/client.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import { claimsOf, connect } from '../support/callers/programs.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
let pair: SigningPair;
let claims: Record<string, unknown>;

beforeAll(async () => {
  server = await startTestServer();
  const { tokens } = await connect(server, await signedInPerson(server));
  claims = claimsOf(tokens.access_token);
  pair = await server.running.app.keyring.signing();
});

afterAll(() => server.stop());

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const headWith = (more: object = {}) => ({ alg: 'ES256', typ: 'at+jwt', kid: pair.kid, ...more });
const textOf = (head: object, said: object) => `${part(head)}.${part(said)}`;

type Encoding = 'ieee-p1363' | 'der';

/** With the true key, so that everything but what a case is about holds. */
function tokenOf(head: object, said: object, dsaEncoding: Encoding = 'ieee-p1363'): string {
  const key = createPrivateKey({ key: { ...pair.privateJwk }, format: 'jwk' });
  const text = textOf(head, said);
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding }).toString('base64url')}`;
}

function byPublicKey(): string {
  const text = textOf(headWith({ alg: 'HS256' }), claims);
  return `${text}.${createHmac('sha256', JSON.stringify(pair.publicJwk)).update(text).digest('base64url')}`;
}

const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([one]) => one !== name));

const callWith = (token: string) => clientFor(server.url, token).get('/buyer/campaigns');

describe('access tokens that the true key signed', () => {
  test('are taken when nothing is wrong with them', async () => {
    expect((await callWith(tokenOf(headWith(), claims))).status).toBe(200);
  });

  test.each<[string, () => string]>([
    ['demand what nobody here understands', () => tokenOf(headWith({ crit: ['b64'] }), claims)],
    ['name no type', () => tokenOf({ alg: 'ES256', kid: pair.kid }, claims)],
    ['name another type', () => tokenOf(headWith({ typ: 'JWT' }), claims)],
    ['name another algorithm', () => tokenOf(headWith({ alg: 'ES512' }), claims)],
    ['name no key', () => tokenOf({ alg: 'ES256', typ: 'at+jwt' }, claims)],
    ['name a key that is not there', () => tokenOf(headWith({ kid: 'another' }), claims)],
    ['are of another issuer', () => tokenOf(headWith(), { ...claims, iss: 'https://other.example' })],
    ['name no issuer', () => tokenOf(headWith(), without('iss'))],
    ['never end', () => tokenOf(headWith(), without('exp'))],
    ['end at a text', () => tokenOf(headWith(), { ...claims, exp: '9999999999' })],
    ['are over', () => tokenOf(headWith(), { ...claims, exp: 1 })],
    ['have no id', () => tokenOf(headWith(), without('jti'))],
    ['are for nobody', () => tokenOf(headWith(), without('aud'))],
    ['are for a number', () => tokenOf(headWith(), { ...claims, aud: [7] })],
    ['say a list', () => tokenOf(headWith(), [claims])],
    ['have their signature in another form', () => tokenOf(headWith(), claims, 'der')],
    ['have half of their signature', () => tokenOf(headWith(), claims).slice(0, -43)],
    ['have a part too many', () => `${tokenOf(headWith(), claims)}.e30`],
    ['are signed with the public key as a secret', byPublicKey],
  ])('are refused when they %s', async (_, token) => {
    expectRefusal(await callWith(token()), 401, {
      code: 'UNAUTHORIZED',
      words: 'The credential is unknown, expired or revoked.',
    });
  });
});
