import { beforeEach, describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';

const WHOLE = 'Does not go with action delete, which puts the whole media buy away';
const LATER = 'Does not go with action cancel: change what goes on with action update, in another call.';

const period = { label: 'First', start: '2026-12-10', end: '2026-12-12', weight: 1 };

/** A slip in an entry of mediaBuys must not call off more than was meant. */
describe('an entry of mediaBuys with a field that does not go with its action', () => {
  const there = boughtThere('Far');
  beforeEach(() => there.orders());

  const put = (entry: object, beside: object = {}) =>
    there.buyer.put(there.path(), { mediaBuys: [{ mediaBuyId: there.mediaBuyId, ...entry }], ...beside });
  const told = () => there.seller.agent.calls.filter(({ tool }) => tool === 'update_media_buy');

  test.each([
    [
      'packages of a cancel',
      { action: 'cancel', packages: [{ packageId: 'pkg_1' }] },
      {
        packages: 'Does not go with action cancel: to call off some packages only, name them in packageIds.',
      },
    ],
    [
      'a budget beside packages that are called off',
      {
        action: 'cancel',
        packageIds: ['pkg_1'],
        packages: [{ packageId: 'pkg_2', budget: 50 }],
        name: 'Two',
      },
      {
        packages: 'Does not go with action cancel: to call off some packages only, name them in packageIds.',
        name: LATER,
      },
    ],
    [
      'dates and goals of a cancel',
      { action: 'cancel', start_time: 'asap', end_time: '2026-12-20T00:00:00Z', optimization_goals: [] },
      { start_time: LATER, end_time: LATER, optimization_goals: LATER },
    ],
    [
      'periods of a cancel',
      { action: 'cancel', pacing_periods: { mode: 'weight', periods: [period] } },
      { pacing_periods: LATER },
    ],
    [
      'packageIds of a delete',
      { action: 'delete', package_ids: ['pkg_1'] },
      { package_ids: `${WHOLE}: to call off some packages only, give action cancel.` },
    ],
    [
      'packages and a name of a delete',
      { action: 'delete', packages: [{ packageId: 'pkg_1', budget: 50 }], name: 'Two' },
      { packages: `${WHOLE}.`, name: 'Does not go with action delete: leave it out.' },
    ],
    [
      'packageIds without an action',
      { packageIds: ['pkg_nonexistent'], name: 'Two' },
      {
        packageIds: 'Goes with action cancel alone: name in packages those that change, and what changes.',
      },
    ],
    [
      'two reasons that differ',
      { action: 'cancel', reason: 'Sold out.', updated_reason: 'Too dear.' },
      { updated_reason: 'Give either reason or updated_reason: one is kept, and told to the seller.' },
    ],
  ])('is refused with 400, and nothing is changed or told: %s', async (_what, entry, complaints) => {
    const before = await there.campaign();

    const reply = await put(entry, { name: 'Renamed' });

    const at = Object.entries(complaints).map(([field, message]) => [`mediaBuys.0.${field}`, message]);
    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: Object.fromEntries(at) });
    expect(await there.campaign()).toEqual(before);
    expect(told()).toEqual([]);
  });

  test('is done where null stands in it, which is nothing', async () => {
    const { body } = await put({ action: 'cancel', packages: null, packageIds: null, name: null });

    expect(body.data.mediaBuyResults).toMatchObject([{ success: true, newStatus: 'CANCELED' }]);
  });
});
