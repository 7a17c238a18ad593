import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientFor } from '../support/callers/client.ts';
import { type Browser, signedInPerson } from '../support/callers/consenting.ts';
import { connect, headerOf, program } from '../support/callers/programs.ts';
import { expectEnded } from '../support/callers/refusals.ts';
import { openMcp } from '../support/mcp/open-session.ts';
import type { TestServer } from '../support/server/server.ts';
import { runCommand, settingsFor } from '../support/server/service.ts';
import { newPlace, type Place } from './kinds.ts';
import { type Held, openAll, reads } from './open.ts';
import { deliveriesOf, newWorld, type World } from './world.ts';

const MINUTE_MS = 60_000;

/** The operator's command line is another process on every database. */
describe('what the operator does beside a service that runs', () => {
  let world: World;
  let place: Place;
  let path: string;
  beforeAll(async () => {
    // The command line goes by the real clock.
    world = await newWorld({ start: Date.now() });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    place = await newPlace(world);
    path = `/buyer/advertisers/${place.advertiserId}`;
  });

  const rialto = async (...args: readonly string[]) => {
    const { database } = world.one;
    const { code, stdout, stderr } = await runCommand('rialto.js', {
      folder: database.folder,
      settings: settingsFor(database),
      args,
    });
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  const everywhere = (shown: string) =>
    Promise.all([world.one, world.other].map((server) => reads(server, shown, path)));

  /** What was open has ended, with the reason as its last frame. */
  const expectOver = async ({ events, mcp, poll }: Held) => {
    const [last, ...more] = await events.rest();
    expectEnded(last, { code: 'UNAUTHORIZED', words: 'The credential is unknown, expired or revoked.' });
    expect(more).toEqual([]);
    expect(await mcp.stream.text).toContain(': ended: ');
    expect((await poll).status).toBe(401);
  };

  test.each([
    ['organization', () => place.owner.organizationId],
    ['parent of an organization', () => place.parent.organizationId],
  ])(
    'organization suspend of the %s ends what is open and skips webhooks, resume lets both go on',
    async (_what, id) => {
      const { key } = place.owner;
      const held = await openAll(place, key);

      await rialto('organization', 'suspend', '--organization', String(id()));
      expect(await everywhere(key)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
      await expectOver(held);
      held.gate.open();
      expect(await deliveriesOf(world, held)).toEqual(['skipped: organization_suspended']);

      await rialto('organization', 'resume', '--organization', String(id()));
      expect(await everywhere(key)).toEqual(['go on', 'go on']);
      const again = await openAll(place, key);
      again.gate.open();
      expect((await again.events.rest()).map(({ event }) => event)).toEqual(['complete']);
      // Both subscriptions are there: the one of before was only passed over.
      expect(await deliveriesOf(world, { ...again, subscriptionId: held.subscriptionId })).toEqual([
        'delivered',
      ]);
    },
  );

  test('user suspend ends what a person’s program has open and spares the organization’s keys, resume lets it go on', async () => {
    const { owner } = place;
    const person = await signedInPerson(world.one, { organization: owner });
    const { tokens } = await connect(world.one, person);
    const held = await openAll(place, tokens.access_token);

    await rialto('user', 'suspend', '--email', person.email);
    expect(await everywhere(tokens.access_token)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(await everywhere(owner.key)).toEqual(['go on', 'go on']);
    await expectOver(held);
    held.gate.open();

    await rialto('user', 'resume', '--email', person.email);
    expect(await everywhere(tokens.access_token)).toEqual(['go on', 'go on']);
  });

  test('key revoke ends what the key has open, and leaves the other keys', async () => {
    const { owner } = place;
    const key = await owner.withKey(['buyer:read', 'buyer:write']);
    const held = await openAll(place, key.key);

    await rialto('key', 'revoke', '--organization', String(owner.organizationId), '--id', key.keyId);
    expect(await everywhere(key.key)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(await everywhere(owner.key)).toEqual(['go on', 'go on']);
    await expectOver(held);
    held.gate.open();
  });

  test('keys rotate ends nothing: what the old key signed goes on, and within a minute the new one signs everywhere', async () => {
    const { one, other, clock } = world;
    const person = await signedInPerson(one, { organization: place.owner });
    const before = await connect(one, person);
    const held = await openAll(place, before.tokens.access_token);
    const [first] = await keyIdsAt(one);

    const kid = /Signing with (\S+) within a minute/.exec(await rialto('keys', 'rotate'))?.[1];
    expect(await everywhere(before.tokens.access_token)).toEqual(['go on', 'go on']);
    clock.skip(MINUTE_MS);

    for (const server of [one, other]) expect(await keyIdsAt(server)).toEqual([kid, first]);
    const after = await connect(one, person);
    expect(headerOf(before.tokens.access_token)['kid']).toBe(first);
    expect(headerOf(after.tokens.access_token)['kid']).toBe(kid);
    expect(await everywhere(after.tokens.access_token)).toEqual(['go on', 'go on']);
    expect(await everywhere(before.tokens.access_token)).toEqual(['go on', 'go on']);
    const renewed = await refreshAt(other, before);
    expect(headerOf(renewed)['kid']).toBe(kid);
    held.gate.open();
    // The seller ran out of time while the clock was put forward: the stream itself has ended well.
    expect((await held.events.rest()).at(-1)?.event).toBe('complete');
    expect(held.mcp.stream.isOver()).toBe(false);
  });

  test('keys rotate is known at once to whoever is shown a token of the new key', async () => {
    const { one, other } = world;
    const person: Browser = await signedInPerson(one, { organization: place.owner });
    // The other process has the keys of before at hand.
    const { stream } = await openMcp(other, (await connect(one, person)).tokens.access_token);
    const kid = /Signing with (\S+) within/.exec(await rialto('keys', 'rotate'))?.[1];
    world.clock.skip(MINUTE_MS);
    const { tokens } = await connect(one, person);

    expect(headerOf(tokens.access_token)['kid']).toBe(kid);
    expect((await clientFor(other.url, tokens.access_token).get(path)).status).toBe(200);
    expect(stream.isOver()).toBe(false);
  });
});

async function keyIdsAt({ url }: TestServer): Promise<string[]> {
  const response = await fetch(`${url}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

async function refreshAt(
  server: TestServer,
  { clientId, tokens }: { readonly clientId: string; readonly tokens: { readonly refresh_token: string } },
): Promise<string> {
  const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token };
  const { status, body } = await program(server).token(fields);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.access_token;
}
