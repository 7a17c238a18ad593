import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { clientFor } from '../support/callers/client.ts';
import { legacyValue, newLegacyKey } from '../support/callers/legacy-keys.ts';
import { managerOf } from '../support/callers/managers.ts';
import { signInAs } from '../support/callers/newcomers.ts';
import { newPerson } from '../support/callers/people.ts';
import { done } from '../support/sellers/market.ts';
import { linkIn } from '../support/server/mail.ts';
import { type Credential, makers, newPlace, type Place } from './kinds.ts';
import { reads } from './open.ts';
import { newWorld, type World } from './world.ts';

type Somebody = NonNullable<Credential['person']>;

describe('a person who is taken out of an organization and let in again', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
  });
  afterAll(() => world.stop());

  const everywhere = (shown: string, path = '/buyer/advertisers') =>
    Promise.all([world.one, world.other].map((server) => reads(server, shown, path)));

  /** Invited by mail, and there again by its link. */
  const letIn = async ({ admin }: Pick<Place, 'admin'>, { userId, email }: Somebody) => {
    const { one } = world;
    const db = one.store.db.withoutPlugins();
    const confirmed = { email_verified_at: one.operator.now };
    await db.updateTable('users').set(confirmed).where('id', '=', userId).execute();
    done(await admin.post('/invitations', { email, role: 'ADMIN' }));
    const token = new URL(linkIn(await one.mail.next(email))).pathname.split('/').at(-1) ?? '';
    done(await (await signInAs(one, userId)).post('/signup/invitations', { token }));
  };

  test.each([
    'access token of a person',
    'service token',
    'legacy key of a person',
    'claimed agent',
  ] as const)('has no %s back, nor what gives the next', async (kind) => {
    const place = await newPlace(world);
    const { shown, person, renew, again } = await makers[kind](place);
    if (person === undefined) throw new Error('It acts for nobody.');
    const other = await makers[kind](place);
    expect(await everywhere(shown)).toEqual(['go on', 'go on']);

    done(await place.admin.delete(`/members/${person.userId}`));
    await letIn(place, person);

    expect(await everywhere(shown)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(await renew?.()).toBe(renew === undefined ? undefined : false);
    expect(await again?.()).toBeUndefined();
    const { members } = done(await place.admin.get('/members'));
    expect(members.map(({ email }: Somebody) => email)).toContain(person.email);
    // What the person lets in from now on goes on, as what others let in does.
    expect(await everywhere(other.shown)).toEqual(['go on', 'go on']);
  });

  test('keeps what acts for them elsewhere, also where they have the same role', async () => {
    const { one } = world;
    const [place, elsewhere] = [await newPlace(world), await newPerson(one)];
    const { organizationId } = elsewhere;
    const { email, userId } = await managerOf(one, place.owner.organizationId, 'MEMBER');
    await giveRole(one.operator, { email, name: '', organizationId, role: 'MEMBER' });
    const value = legacyValue();
    await newLegacyKey(one, elsewhere, { value, email });

    done(await place.admin.delete(`/members/${userId}`));

    expect(await everywhere(value)).toEqual(['go on', 'go on']);
  });

  test('has back nothing below it either, but for accounts in which they have a role of their own', async () => {
    const { one } = world;
    const parent = await newPerson(one);
    const below = await newPerson(one, { parentId: parent.organizationId });
    const own = await newPerson(one, { parentId: parent.organizationId });
    const admin = clientFor(one.url, await parent.browser());
    const person = await managerOf(one, parent.organizationId, 'ADMIN');
    const { email } = person;
    await giveRole(one.operator, {
      email,
      name: '',
      organizationId: own.organizationId,
      role: 'MEMBER',
    });
    const [inherited, kept] = [legacyValue(), legacyValue()];
    await newLegacyKey(one, below, { value: inherited, email });
    await newLegacyKey(one, own, { value: kept, email });
    expect(await everywhere(inherited)).toEqual(['go on', 'go on']);

    done(await admin.delete(`/members/${person.userId}`));
    await letIn({ admin }, person);

    expect(await everywhere(inherited)).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
    expect(await everywhere(kept)).toEqual(['go on', 'go on']);
  });
});
