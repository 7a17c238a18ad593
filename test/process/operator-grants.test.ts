import { beforeAll, describe, expect, test } from 'vitest';
import { makeScope } from '../../store/engine/scope.ts';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { storeOperator, withStore } from '../support/callers/operator.ts';
import { insertNamed } from '../support/callers/store-accounts.ts';
import { ownPlace } from '../support/server/own-place.ts';

describe('a grant', () => {
  const place = ownPlace();
  let own: { id: number; account: number; keyId: string };
  let other: { account: number; keyId: string };
  beforeAll(async () => {
    await withStore(place.settings, async (store) => {
      const operator = storeOperator(store);
      const made = async (name: string) => {
        const { organization, customers } = await createOrganization(operator, { name, roles: ['BUYER'] });
        const { id: organizationId } = organization;
        const { id } = await createKey(operator, { organizationId, name, permissions: ['buyer:read'] });
        return { id: organizationId, account: customers[0]?.id ?? 0, keyId: id };
      };
      own = await made('Own');
      other = await made('Other');
    });
  });

  const holder = (name: string) => ['--holder', name, '--account', String(own.account)];
  const toNobody: readonly (readonly [string, () => readonly string[], () => string])[] = [
    ['a key without its kind', () => holder(own.keyId), () => `Did you mean api_key:${own.keyId}?`],
    [
      'a key under another kind',
      () => holder(`key:${own.keyId}`),
      () => `Did you mean api_key:${own.keyId}?`,
    ],
    ['a number alone', () => holder('7'), () => 'Did you mean user:7?'],
    ['words', () => holder('Ada'), () => 'Give user:<id> or api_key:<id>'],
    ['a person of nobody', () => holder('user:99999'), () => 'npm run rialto -- user add'],
    [
      'a key of another organization',
      () => holder(`api_key:${other.keyId}`),
      () => 'npm run rialto -- key list',
    ],
    [
      'an account of another organization',
      () => ['--holder', `api_key:${own.keyId}`, '--account', String(other.account)],
      () => `${other.account}`,
    ],
    [
      'an advertiser that is not there',
      () => ['--holder', `api_key:${own.keyId}`, '--advertiser', '99999'],
      () => 'List them with advertiser_list',
    ],
  ];

  test.each(toNobody)(
    'to %s is refused, says what was meant, and narrows nobody',
    async (_what, args, words) => {
      expect(await place.refused('grant', 'add', '--organization', String(own.id), ...args())).toContain(
        words(),
      );
      const grants = await withStore(place.settings, (store) =>
        store.db.selectFrom('grants').selectAll().where('organization_id', '=', own.id).execute(),
      );
      expect(grants).toEqual([]);
    },
  );

  test.each(toNobody)('of %s, which nobody can have, cannot be taken away', async (_what, args, words) => {
    expect(await place.refused('grant', 'remove', '--organization', String(own.id), ...args())).toContain(
      words(),
    );
  });

  test('that its holder has is left as it is, said so, and logged once', async () => {
    const add = ['grant', 'add', '--organization', String(own.id), ...holder(`api_key:${own.keyId}`)];
    const reach = `api_key:${own.keyId} may reach account ${own.account}`;

    expect(await place.printed(...add)).toBe(reach);
    expect(await place.printed(...add)).toBe(`Unchanged: ${reach}`);

    const grants = await withStore(place.settings, (store) =>
      store.db.selectFrom('grants').selectAll().where('organization_id', '=', own.id).execute(),
    );
    expect(grants).toHaveLength(1);
    const log = await place.printed('audit', 'list', '--organization', String(own.id));
    expect(log.split('\n').filter((line) => line.includes('grant_add'))).toHaveLength(1);
  });

  describe('that was given', () => {
    let key: string;
    let advertiser: string;
    const inOwn = (...args: string[]) => [...args, '--organization', String(own.id)];
    const ofKey = (verb: string, ...reach: string[]) => inOwn('grant', verb, '--holder', key, ...reach);
    const ofAccount = () => ['--account', String(own.account)];
    const lineOf = (text: string) =>
      text.split('\n').filter((line) => line.includes(key.split(':')[1] ?? ''));
    beforeAll(async () => {
      const id = await withStore(place.settings, async (store) => {
        const of = { organizationId: own.id, name: 'Given', permissions: ['buyer:read'] as const };
        return (await createKey(storeOperator(store), of)).id;
      });
      key = `api_key:${id}`;
      const scope = makeScope({ organizationId: own.id, customerId: own.account });
      const one = await withStore(place.settings, (store) => insertNamed(store, scope, 'Mine'));
      advertiser = String(one.id);
    });

    test('is listed, and shown with the key', async () => {
      expect(lineOf(await place.printed(...inOwn('key', 'list')))[0]).toMatch(/\tlive\tnever used$/);

      await place.printed(...ofKey('add', ...ofAccount()));
      await place.printed(...ofKey('add', '--advertiser', advertiser));

      const listed = lineOf(await place.printed(...inOwn('grant', 'list')));
      expect(listed).toEqual([
        expect.stringMatching(new RegExp(`^${key}\taccount ${own.account}\tsince 20\\S+Z$`)),
        expect.stringMatching(new RegExp(`^${key}\tadvertiser 1\tsince 20\\S+Z$`)),
      ]);
      expect(lineOf(await place.printed(...inOwn('key', 'list')))[0]).toMatch(
        new RegExp(`\tnever used\tgrants: account ${own.account}, advertiser ${advertiser}$`),
      );
    });

    test('is taken away once and logged, and the last one only where that is said', async () => {
      expect(await place.printed(...ofKey('remove', ...ofAccount()))).toBe(
        `${key} has the grant of account ${own.account} no more`,
      );
      expect(await place.printed(...ofKey('remove', ...ofAccount()))).toBe(
        `Unchanged: ${key} has no grant of account ${own.account}`,
      );
      expect(await place.refused(...ofKey('remove', '--advertiser', advertiser))).toBe(
        `It is the last grant of ${key}, which would reach everything of organization ${own.id} without it. ` +
          'Add the grant that it is to have first; or give --last, where everything is meant.',
      );
      expect(lineOf(await place.printed(...inOwn('grant', 'list')))).toHaveLength(1);

      expect(await place.printed(...ofKey('remove', '--advertiser', advertiser, '--last'))).toBe(
        `${key} has the grant of advertiser ${advertiser} no more; ` +
          `it has none at all, and reaches everything of organization ${own.id}`,
      );
      const log = await place.printed(...inOwn('audit', 'list'));
      expect(log.split('\n').filter((line) => line.includes('\tgrant_remove\t'))).toHaveLength(2);
    });

    test('is taken from a key that is revoked, and from nobody whose name is none', async () => {
      await place.printed(...ofKey('add', ...ofAccount()));
      await place.printed(...inOwn('key', 'revoke', '--id', key.split(':')[1] ?? ''));

      await place.printed(...ofKey('remove', ...ofAccount(), '--last'));

      expect(await place.refused(...inOwn('grant', 'remove', '--holder', '7', ...ofAccount()))).toContain(
        'Did you mean user:7?',
      );
      expect(await place.refused(...inOwn('grant', 'remove', '--holder', 'user:7'))).toBe(
        'Give --account or --advertiser.',
      );
    });
  });
});
