import { beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { storeOperator, withStore } from '../support/operator.ts';
import { ownPlace } from '../support/own-place.ts';

describe('grant add', () => {
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

  test.each(toNobody)('refuses %s, says what was meant, and narrows nobody', async (_what, args, words) => {
    expect(await place.refused('grant', 'add', '--organization', String(own.id), ...args())).toContain(
      words(),
    );
    const grants = await withStore(place.settings, (store) =>
      store.db.selectFrom('grants').selectAll().where('organization_id', '=', own.id).execute(),
    );
    expect(grants).toEqual([]);
  });

  test('leaves a grant that its holder has as it is, says so, and logs it once', async () => {
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
});
