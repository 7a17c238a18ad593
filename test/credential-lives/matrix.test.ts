import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../tools/domain/organizations/keys.ts';
import { suspendOrganization, suspendPerson } from '../../tools/domain/organizations/operator-decisions.ts';
import { publishVersion } from '../../tools/domain/organizations/terms.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { clientFor } from '../support/callers/client.ts';
import { refusalCode } from '../support/callers/refusals.ts';
import { mailedPath } from '../support/callers/signed-in.ts';
import { type McpSession, openMcp } from '../support/mcp/open-session.ts';
import { done } from '../support/sellers/market.ts';
import { type Credential, makers, narrowElsewhere, newPlace, type Place } from './kinds.ts';
import { type Held, openAll, reads, subscribes } from './open.ts';
import { cannot, type Expected, kinds, lives, type Transition, transitions } from './table.ts';
import { deliveriesOf, newWorld, type World } from './world.ts';

/** So long before its end a credential is watched expiring: sellers have longer. */
const EVE_MS = 20_000;
const ONE_SECOND = 1_000;

let versions = 0;

type Deed = (held?: Held) => Promise<unknown>;

/** What happens to credentials of every kind. */
function deedOf(place: Place, credential: Credential, transition: Transition): Deed {
  const { world, owner, parent, admin } = place;
  const { operator } = world.one;
  const { person, organizationId = owner.organizationId } = credential;
  const suspend = (id: number, isSuspended: boolean) =>
    suspendOrganization(operator, { organizationId: id, isSuspended });
  const common: Partial<Record<Transition, Deed>> = {
    used: async () => {},
    expired: async () => world.clock.skip(EVE_MS + ONE_SECOND),
    registrationOver: async () => world.clock.skip(EVE_MS + ONE_SECOND),
    suspended: () => suspend(organizationId, true),
    parentSuspended: () => suspend(parent.organizationId, true),
    resumed: async (held) => {
      await suspend(organizationId, true);
      await Promise.all([held?.poll, held?.call, held?.mcp.stream.text]);
      await suspend(organizationId, false);
    },
    termsOutdated: () => {
      versions += 1;
      return publishVersion(operator, { version: `later-${versions}` });
    },
  };
  const ofPerson: Partial<Record<Transition, Deed>> = {
    personRemoved: async () => done(await admin.delete(`/members/${person?.userId}`)),
    personSuspended: () => suspendPerson(operator, { email: person?.email ?? '', isSuspended: true }),
    roleLowered: async () => done(await admin.patch(`/members/${person?.userId}`, { role: 'READ_ONLY' })),
    passwordReplaced: () => replacePassword(world, person?.email ?? ''),
    narrowed: () => narrowElsewhere(place, `user:${person?.userId}`),
  };
  const deed = credential.deeds?.[transition] ?? common[transition] ?? ofPerson[transition];
  if (deed === undefined) throw new Error(`Nothing says how a credential ${transitions[transition]}.`);
  return deed;
}

/** By the link that is mailed to whoever forgot it. */
async function replacePassword({ one }: World, email: string): Promise<void> {
  const browser = browserClient(one.url);
  await browser.submit('/forgotten', { email });
  const { status } = await browser.submit(await mailedPath(one, email), {
    password: 'a sentence that nobody knows',
  });
  if (status !== 303) throw new Error(`The new password was answered with ${status}.`);
}

/** Lets time pass until shortly before the end that is to be watched; gives what is shown then. */
async function eveOf({ clock }: World, credential: Credential, transition: Transition): Promise<string> {
  const ends = { expired: credential.endsAt, registrationOver: credential.registrationEndsAt };
  const end = transition === 'expired' || transition === 'registrationOver' ? ends[transition] : undefined;
  if (end === undefined) return credential.shown;
  clock.skip(end - EVE_MS - clock.now());
  return transition === 'expired' ? credential.shown : ((await credential.again?.()) ?? credential.shown);
}

describe('a credential in its life', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });
  afterAll(() => world.stop());

  /** Resolves once everything that is open was asked about after whatever happened before. */
  const allAsked = async () => {
    const { one, other, canary } = world;
    const last = await canary.withKey(['buyer:read']);
    const { stream } = await openMcp(other, last.key);
    await revokeKey(one.operator, { organizationId: last.organizationId, id: last.keyId });
    await lookedAfter(stream);
  };
  /** What is open is looked after every so often: time goes on by as much, and nobody waits for it. */
  const lookedAfter = (stream: McpSession['stream']) => {
    world.clock.skip(ONE_SECOND);
    return stream.text;
  };

  const cells = kinds.flatMap((kind) =>
    (Object.entries(lives[kind]) as [Transition, Expected][]).map(
      ([transition, expected]) =>
        [`${kind} that ${transitions[transition]}`, { kind, transition, expected }] as const,
    ),
  );
  const ofUnclaimed = cells.filter(([, { kind }]) => kind === 'anonymous agent');
  const ofOthers = cells.filter(([, { kind }]) => kind !== 'anonymous agent');

  test.each(ofOthers)('%s', async (_what, cell) => {
    const { kind, transition, expected } = cell;
    const { open = expected.reads } = expected;
    const { one, other } = world;
    const place = await newPlace(world);
    const path = `/buyer/advertisers/${place.advertiserId}`;
    const credential = await makers[kind](place);
    const shown = await eveOf(world, credential, transition);
    const held = await openAll(place, shown);
    const read = () =>
      Promise.all([
        reads(one, shown, path),
        reads(other, shown, path),
        held.mcp.call('advertiser_get', { advertiserId: place.advertiserId }),
      ]);
    const write = () => Promise.all([one, other].map((server) => subscribes(world, server, shown)));
    expect(await read()).toEqual(['go on', 'go on', 'go on']);

    await deedOf(place, credential, transition)(held);

    // What was committed holds for the next call, in whichever process.
    expect(await read()).toEqual(Array(3).fill(expected.reads));
    expect(await write()).toEqual(Array(2).fill(expected.writes));
    if (open === 'UNAUTHORIZED') expect(await lookedAfter(held.mcp.stream)).toContain(': ended: ');
    else await allAsked();
    if (open === 'go on') held.gate.open();
    const [last, ...more] = await held.events.rest();
    const [poll, called] = await Promise.all([held.poll, held.call]);
    held.gate.open();

    expect(more).toEqual([]);
    expect(last?.event === 'error' ? refusalCode({ body: last.payload }) : last?.event).toBe(
      open === 'go on' ? 'complete' : open,
    );
    expect(poll.status < 300 ? 'go on' : refusalCode(poll)).toBe(open);
    expect(called).toBe(open);
    expect(held.mcp.stream.isOver()).toBe(open === 'UNAUTHORIZED');
    expect((await deliveriesOf(world, held))[0] ?? 'nothing').toBe(expected.webhook);
    if (credential.renew !== undefined) expect(await credential.renew()).toBe(expected.next);
  });

  test.each(ofUnclaimed)('%s', async (_what, { kind, transition, expected }) => {
    const { one, other } = world;
    const place = await newPlace(world);
    const credential = await makers[kind](place);
    const shown = await eveOf(world, credential, transition);
    const read = () => Promise.all([one, other].map((server) => reads(server, shown, '/buyer/advertisers')));
    expect(await read()).toEqual(['go on', 'go on']);

    await deedOf(place, credential, transition)();

    expect(await read()).toEqual(Array(2).fill(expected.reads));
    for (const server of [one, other]) {
      expect(await subscribes(world, server, shown)).toBe(expected.writes);
      const { status } = await clientFor(server.url, shown).post(`${server.url}/mcp/v2/buyer`, {});
      expect(status).toBe(expected.reads === 'go on' ? 403 : 401);
    }
    expect(await credential.renew?.()).toBe(expected.next);
  });
});

test('every kind of credential has its word on everything that happens', () => {
  const all = kinds.flatMap((kind) => Object.keys(transitions).map((name) => `${kind}: ${name}`));
  const spoken: string[] = kinds.flatMap((kind) =>
    Object.keys(lives[kind]).map((name) => `${kind}: ${name}`),
  );
  const excused = cannot.flatMap(({ to, happen }) =>
    to.flatMap((kind) => happen.map((name) => `${kind}: ${name}`)),
  );

  expect([...spoken, ...excused].sort()).toEqual(all.sort());
});
