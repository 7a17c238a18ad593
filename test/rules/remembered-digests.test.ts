import { describe, expect, test } from 'vitest';
import { rememberedDigests } from '../../adapters/rest/remembered-digests.ts';

/** Digests, and the texts that were hashed for them. */
function counted() {
  const hashed: string[] = [];
  const digestAt = rememberedDigests((text) => {
    hashed.push(text);
    return `of ${text}`;
  });
  return { digestAt, hashed };
}

describe('the digest of what an address shows', () => {
  test('is made once while the address shows the same', () => {
    const { digestAt, hashed } = counted();

    const given = [digestAt('/a', 'one'), digestAt('/a', 'one'), digestAt('/a', ['o', 'ne'].join(''))];

    expect(given).toEqual(['of one', 'of one', 'of one']);
    expect(hashed).toEqual(['one']);
  });

  test('is that of what it shows now, to whomever, and of no other address', () => {
    const { digestAt } = counted();
    const shown = [
      ['/a', 'one'],
      ['/a', 'two'],
      ['/a', 'one'],
      ['/b', 'two'],
      ['/a', ''],
    ] as const;

    expect(shown.map(([address, text]) => digestAt(address, text))).toEqual(
      shown.map(([, text]) => `of ${text}`),
    );
  });

  test('is made anew of a long text, and of an address that many others came after', () => {
    const { digestAt, hashed } = counted();
    const long = 'x'.repeat(10_000);
    for (const text of [long, long, 'first']) digestAt('/a', text);
    for (let number = 0; number < 1_000; number += 1) digestAt(`/${number}`, 'other');
    hashed.length = 0;

    for (const text of ['first', long, long]) digestAt('/a', text);

    expect(hashed).toEqual(['first', long, long]);
  });
});
