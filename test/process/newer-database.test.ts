import { describe, expect, test } from 'vitest';
import { openStore } from '../../store/open.ts';
import { freshPlaces } from '../support/server/own-place.ts';
import { runCommand } from '../support/server/service.ts';

const NEWER = '9999-of-a-newer-version';
const SAID = `A newer version was here: its database has ${NEWER}. Install that version or a later one.`;

const fresh = freshPlaces();

/** A place whose database a newer version has brought to its own shape. */
async function afterNewer() {
  const place = await fresh();
  const store = openStore(place.url, { connections: 1 });
  await store.db.insertInto('kysely_migration').values({ name: NEWER, timestamp: '2030' }).execute();
  await store.close();
  return place;
}

describe('a database of a newer version', () => {
  test.each(['org list', 'key create --sandbox', 'seed', 'secrets rotate', 'audit list', 'migrate'])(
    'is refused by `%s`, which says what to install',
    async (line) => {
      const { refused } = await afterNewer();

      expect(await refused(...line.split(' '))).toBe(SAID);
    },
  );

  test('keeps the service from starting, which says the same', async () => {
    const { launch } = await afterNewer();

    const { code, stdout, stderr } = await runCommand('rialto.js', { ...launch, args: ['serve'] });

    expect({ code, stdout, stderr: stderr.trim() }).toEqual({
      code: 1,
      stdout: '',
      stderr: `The service could not start: ${SAID}`,
    });
  });
});
