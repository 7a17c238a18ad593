import { describe, expect, test } from 'vitest';
import { reasonToKeep } from '../../tools/platform/m2m-applications/secret-rotation.ts';

const used = '2026-12-01T09:00:00.000Z';
const secret = (id: string, proven_at: string | null) => ({ id, proven_at });

describe('a secret of an application', () => {
  test.each([
    ['stays while it is the only one', [secret('a', used)], 'last'],
    ['stays while no token of a newer one was used', [secret('b', null), secret('a', used)], 'unproven'],
    ['goes once a token of a newer one was used', [secret('b', used), secret('a', used)], undefined],
    [
      'goes where any newer one is in use',
      [secret('c', null), secret('b', used), secret('a', null)],
      undefined,
    ],
    ['goes where it is the newest itself', [secret('a', null), secret('b', null)], undefined],
  ])('%s', (_, live, reason) => {
    expect(reasonToKeep(live, 'a')).toBe(reason);
  });
});
