import { describe, expect, test } from 'vitest';
import { identifyWith, type Recogniser } from '../../adapters/auth/identify.ts';
import { unconfined } from '../../tools/core/access.ts';
import type { Caller } from '../../tools/core/context.ts';

describe('recognisers', () => {
  const caller: Caller = {
    kind: 'api_key',
    principal: 'api_key:key_1',
    name: 'A key',
    organizationId: 1,
    permissions: new Set(),
    accounts: { buyer: 1, seller: null },
    confined: unconfined,
    advertiserIds: null,
    userId: null,
    tier: 'basic',
    alpha: false,
  };
  const known =
    (wanted: string): Recogniser =>
    ({ token }) =>
      token === wanted ? caller : null;
  const late =
    (recognise: Recogniser): Recogniser =>
    async (shown) =>
      recognise(shown);

  test.each([
    ['the first', [known('t'), known('other')]],
    ['the second', [known('other'), known('t')]],
    ['one that has to look it up', [late(known('other')), late(known('t'))]],
    ['one behind another that has to look it up', [late(known('other')), known('t')]],
  ])('are asked in turn until one knows the token: %s', async (_which, recognisers) => {
    expect(await identifyWith(recognisers)({ headers: { authorization: 'Bearer t' } })).toBe(caller);
  });

  test.each([
    ['at once', [known('other')]],
    ['after a look', [late(known('other')), known('other')]],
  ])('that none of them knows a token is a refusal, said %s', async (_when, recognisers) => {
    const identify = async () => identifyWith(recognisers)({ headers: { authorization: 'Bearer t' } });

    await expect(identify()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('see what a connection shows now, whatever it showed before', async () => {
    const identify = identifyWith([known('t')]);
    const socket = {};
    const shows = async (token: string) =>
      identify({ headers: { authorization: `Bearer ${token}` }, socket });

    expect(await shows('t')).toBe(caller);
    await expect(shows('other')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(shows('T')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await shows('t')).toBe(caller);
    expect(await identify({ headers: {}, socket })).toBeNull();
  });

  test('are not asked without a credential', async () => {
    expect(await identifyWith([])({ headers: {} })).toBeNull();
  });
});
