import { describe, expect, test } from 'vitest';
import { Carried } from '../../store/engine/carried.ts';
import { gate } from '../support/run/gate.ts';

describe('a value that is carried along a work', () => {
  const carried = new Carried<string>();

  test('is seen by all that the work awaits, and by nobody else', async () => {
    const seen = await carried.during('one', async () => {
      await Promise.resolve();
      return carried.value;
    });

    expect(seen).toBe('one');
    expect(carried.value).toBeUndefined();
  });

  test('stays its own, whichever of two works ends first, also by an error', async () => {
    const held = gate();
    const long = carried.during('long', async () => {
      await held.passed;
      return carried.value;
    });
    const short = carried.during('short', async () => {
      await Promise.resolve();
      throw new Error(carried.value);
    });

    await expect(short).rejects.toThrow('short');
    held.open();

    expect(await long).toBe('long');
  });

  test('is gone for what goes on behind a work that is over', async () => {
    const held = gate();
    let later: Promise<string | undefined> | undefined;
    await carried.during('over', async () => {
      later = held.passed.then(() => carried.value);
    });
    held.open();

    expect(await later).toBeUndefined();
  });

  test('is gone for it also while another work goes on', async () => {
    const [held, other] = [gate(), gate()];
    let later: Promise<string | undefined> | undefined;
    const long = carried.during('long', () => other.passed);
    await carried.during('over', async () => {
      later = held.passed.then(() => carried.value);
    });
    held.open();

    expect(await later).toBeUndefined();
    other.open();
    await long;
  });
});
