import { beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { storeOperator, withStore } from '../support/callers/operator.ts';
import { ownPlace } from '../support/server/own-place.ts';

describe('the operator’s command line, of money', () => {
  const place = ownPlace();
  let organization: string;
  beforeAll(async () => {
    organization = await withStore(place.settings, async (store) => {
      const made = await createOrganization(storeOperator(store), { name: 'Acme', roles: ['BUYER'] });
      return String(made.organization.id);
    });
  });

  const printed = (...args: string[]) => place.printed(...args, '--organization', organization);
  const refused = (...args: string[]) => place.refused(...args, '--organization', organization);

  test('gives credit and funds, once a payment, shows them, and tells the log of the account', async () => {
    expect(await printed('credit', 'show')).toBe('The account has nothing in any currency.');

    await printed('credit', 'set', '--currency', 'usd', '--limit', '2500.50');
    const payment = ['credit', 'fund', '--currency', 'USD', '--amount', '100', '--reference', 'wire-7'];
    await printed(...payment);
    await printed(...payment);
    await printed('credit', 'fund', '--currency', 'JPY', '--amount', '900');

    expect((await printed('credit', 'show')).split('\n')).toEqual([
      'funded 900 JPY\tcredit limit 0 JPY\tcommitted 0 JPY\tavailable 900 JPY',
      'funded 100.00 USD\tcredit limit 2500.50 USD\tcommitted 0.00 USD\tavailable 2600.50 USD',
    ]);
    const log = await printed('audit', 'list');
    expect(log.match(/\tcredit_set\tsucceeded\tACCOUNT\t/g)).toHaveLength(1);
    // A payment that is told twice is written once.
    expect(log.match(/\tcredit_fund\tsucceeded\tACCOUNT\t/g)).toHaveLength(2);
  });

  test('says in its list who did it, what was and is, and why, each on its line', async () => {
    const limit = (amount: string, reason: string) =>
      printed('credit', 'set', '--currency', 'SEK', '--limit', amount, '--reason', reason);
    await limit('10', 'First.');
    await limit('25', 'By hand:\nred');

    const lines = (await printed('audit', 'list')).split('\n').filter((line) => line.includes('SEK'));

    expect(lines.map((line) => line.split('\t').slice(-3))).toEqual([
      ['operator', 'creditLimit: 10.00 SEK → 25.00 SEK', 'By hand: red'],
      ['operator', 'creditLimit: 0.00 SEK → 10.00 SEK', 'First.'],
    ]);
  });

  test('refuses what is no amount, no currency, another payment of one name, and more than was paid in', async () => {
    const fund = (currency: string, amount: string, ...more: string[]) =>
      refused('credit', 'fund', '--currency', currency, `--amount=${amount}`, ...more);

    expect(await fund('USD', '1.005')).toBe('1.005 is no amount of USD: USD has 2 decimals at the most.');
    expect(await fund('JPY', '1.5')).toBe('1.5 is no amount of JPY: JPY has 0 decimals at the most.');
    expect(await fund('USD', '1,50')).toBe(
      '1,50 is no amount of USD: give digits, and decimals behind a point.',
    );
    expect(await fund('USD', `1${'0'.repeat(20)}`)).toMatch(/^10+ is no amount of USD: it is too large\.$/);
    expect(await fund('Dollars', '1')).toBe('Dollars is no ISO 4217 currency code. Give one, such as USD.');
    await printed('credit', 'fund', '--currency', 'CHF', '--amount', '5', '--reference', 'wire-8');
    expect(await fund('CHF', '6', '--reference', 'wire-8')).toMatch(/^5\.00 CHF were paid in .* wire-8\./);
    expect(await fund('CHF', '-6')).toMatch(/The account has 5\.00 CHF/);
    expect(await printed('credit', 'fund', '--currency', 'CHF', '--amount=-5')).toMatch(/^funded 0\.00 CHF/);
    expect(await refused('credit', 'set', '--currency', 'USD', '--limit=-1')).toMatch(
      /nothing or more\. Give 0 for none/,
    );
  });

  test('sets, lists and ends pricing rules: a new account has the default one', async () => {
    expect(await printed('pricing', 'list')).toMatch(/^default\t0 %\tsince /);

    expect(await printed('pricing', 'set', '--fee', '12.5')).toBe('default: 12.5 %');
    expect(await printed('pricing', 'end')).toBe('default: no rule');
    expect(await printed('pricing', 'list')).toBe('There is no rule: nothing live can be bought.');

    expect(await printed('pricing', 'end')).toBe('Unchanged: default: no rule');
    expect(await refused('pricing', 'set', '--fee', '100')).toMatch(/^100 is no fee/);
    expect(await refused('pricing', 'set', '--fee', '12.345')).toContain('two decimals at the most');
    expect(await refused('pricing', 'set', '--fee', '5', '--advertiser', '99999')).toMatch(
      /no such advertiser/,
    );
    expect(await refused('pricing', 'set', '--fee', '5', '--agent', 'nobody')).toMatch(/no such sales agent/);
    expect((await printed('audit', 'list')).match(/\tpricing_\w+\tsucceeded\tPRICING_RULE\t/g)).toHaveLength(
      2,
    );
  });

  test('says above how much a spend waits for another person, and ends it, in the log of the organization', async () => {
    expect(await printed('approval', 'show')).toBe('There is no limit: nothing waits.');

    const limit = 'above 750.00 USD another person has to allow it';
    expect(await printed('approval', 'set', '--currency', 'usd', '--limit', '750')).toBe(limit);
    expect(await printed('approval', 'set', '--currency', 'USD', '--limit', '750')).toBe(
      `Unchanged: ${limit}`,
    );
    expect(await printed('approval', 'end', '--currency', 'USD')).toBe('There is no limit: nothing waits.');

    expect(await refused('approval', 'set', '--currency', 'USD', '--limit=-1')).toMatch(/Give 0 to have/);
    expect(await refused('approval', 'set', '--currency', 'USD', '--limit', 'much')).toMatch(/no amount/);
    expect((await printed('audit', 'list')).match(/\tapproval_\w+\tsucceeded\tSPEND_LIMIT\t/g)).toHaveLength(
      2,
    );
  });
});
