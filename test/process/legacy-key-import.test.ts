import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { legacyKeyImport } from '../../adapters/cli/legacy-keys.ts';
import { hashApiKey } from '../../adapters/ports/keys.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { clientFor } from '../support/callers/client.ts';
import { legacyValue } from '../support/callers/legacy-keys.ts';
import { newPerson } from '../support/callers/people.ts';
import { everythingKept } from '../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('legacy keys from a file', () => {
  let server: TestServer;
  const folder = mkdtempSync(join(tmpdir(), 'legacy-'));
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  function take(...lines: string[]): Promise<string> {
    const file = join(folder, 'keys.csv');
    writeFileSync(
      file,
      ['organization,account,name,key,hash,email,permissions,expires', ...lines].join('\r\n'),
    );
    return legacyKeyImport(server.operator, { file, brand: 'rialto' });
  }

  test('work from then on, of the account and of people, by value and by hash, once each, and only hashes are kept', async () => {
    const { organizationId, accounts } = await newPerson(server);
    const member = await newBrowser(server, organizationId, 'MEMBER');
    const [one, two] = [legacyValue(), legacyValue()];
    const lines = [
      `${organizationId},${accounts.BUYER},"Nightly, ""old""",${one},,,,`,
      `${organizationId},${accounts.BUYER},,,${hashApiKey(two)},${member.email},buyer:read,2030-01-01`,
    ];

    expect(await take(...lines)).toBe('Taken in: 2. Known before: 0.');
    expect(await take(...lines)).toBe('Taken in: 0. Known before: 2.');

    for (const value of [one, two]) {
      expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(200);
    }
    const kept = await everythingKept(server);
    expect([kept.includes(one), kept.includes(two)]).toEqual([false, false]);
    expect(kept).toContain('Nightly, \\"old\\"');
  });

  test('are refused whole where a line is wrong, each named, and no key repeated', async () => {
    const { organizationId, accounts } = await newPerson(server);
    const [good, foreign] = [legacyValue(), `other_${'x'.repeat(40)}`];
    const failed = await take(
      `${organizationId},${accounts.BUYER},Good,${good},,,,`,
      `${organizationId},999999,Wrong account,${legacyValue()},,,,`,
      `${organizationId},${accounts.BUYER},Wrong brand,${foreign},,,,`,
      `${organizationId},${accounts.BUYER},Nobody,${legacyValue()},,nobody@acme.example,,`,
      `${organizationId},${accounts.BUYER},Odd,${legacyValue()},,,buyer:fly,`,
    ).then(
      () => '',
      (error: Error) => error.message,
    );

    for (const line of [3, 4, 5, 6]) expect(failed).toContain(`Line ${line}:`);
    expect(failed).not.toContain('Line 2:');
    expect(failed).not.toContain(foreign);
    expect((await clientFor(server.url, good).get('/buyer/campaigns')).status).toBe(401);
  });

  const refusedUnder = (head: string, line: string) => {
    const file = join(folder, 'columns.csv');
    writeFileSync(file, `${head}\n${line}\n`);
    return legacyKeyImport(server.operator, { file, brand: 'rialto' }).then(
      (said) => said,
      (error: Error) => error.message,
    );
  };

  test('are refused whole under a column that is none: what it says would be passed over', async () => {
    const { organizationId, accounts } = await newPerson(server);
    const value = legacyValue();
    const line = `${organizationId},${accounts.BUYER},Old,${value},buyer:read,2027-01-01`;

    const failed = await refusedUnder('organization,account,name,key,permision,expiry', line);

    const columns = 'organization, account, key, hash, name, email, permissions, expires';
    expect(failed.split('\n')).toEqual([
      'Nothing was taken in.',
      `Line 1: column 5 has none of these names: ${columns}.`,
      `Line 1: column 6 has none of these names: ${columns}.`,
    ]);
    expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(401);
  });

  test('are refused without the columns that say whose they are and what they are', async () => {
    const failed = await refusedUnder('name,email', 'Old,ada@acme.example');

    expect(failed.split('\n')).toEqual([
      'Nothing was taken in.',
      'Line 1: the column organization is missing.',
      'Line 1: the column account is missing.',
      'Line 1: give a column key, or hash.',
    ]);
  });

  test('are refused where the first line is a key already, which is not repeated', async () => {
    const value = legacyValue();

    const failed = await refusedUnder(`1,2,Old,${value}`, `1,2,Old,${legacyValue()}`);

    expect(failed).toContain('Line 1: column 4 has none of these names: ');
    expect(failed).toContain('Line 1: the column organization is missing.');
    expect(failed).not.toContain(value);
  });
});
