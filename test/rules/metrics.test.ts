import { describe, expect, test } from 'vitest';
import { countingSellers } from '../../adapters/operations/counting-sellers.ts';
import { Counts, Durations } from '../../adapters/operations/counts.ts';
import { expositionOf } from '../../adapters/operations/exposition.ts';
import { createMeter } from '../../adapters/operations/meter.ts';
import { type Seller, SellerError, type Sellers } from '../../tools/domain/sellers/port.ts';

describe('the text of metrics', () => {
  test('says what each is, escapes labels, and leaves out what has no value', () => {
    const text = expositionOf([
      {
        name: 'one_total',
        help: 'Things.',
        type: 'counter',
        samples: [{ labels: { route: 'a"b\\c\nd' }, value: 2 }],
      },
      { name: 'two', help: 'Nothing.', type: 'gauge', samples: [] },
      { name: 'three', help: 'Limits.', type: 'gauge', samples: [{ value: Number.POSITIVE_INFINITY }] },
    ]);

    expect(text).toBe(
      '# HELP one_total Things.\n# TYPE one_total counter\none_total{route="a\\"b\\\\c\\nd"} 2\n' +
        '# HELP three Limits.\n# TYPE three gauge\nthree +Inf\n',
    );
  });

  test('puts what took as long as a bucket into it, and each bucket into those above', () => {
    const taken = new Durations();
    for (const seconds of [0.001, 0.0011, 31]) taken.add(seconds);

    const counts = taken.cumulative().map(({ count }) => count);

    expect(counts.slice(0, 3)).toEqual([1, 2, 2]);
    expect(counts.slice(-2)).toEqual([2, 3]);
    expect(taken.seconds).toBeCloseTo(31.0021);
  });
});

describe('counts', () => {
  test('of more names than there can be are kept together', () => {
    const counts = new Counts();
    for (let name = 0; name < 6_000; name += 1) counts.add(`name ${name}`, 'ok');

    const entries = [...counts.entries()];

    expect(entries).toHaveLength(5_001);
    expect(entries.find(([first]) => first === 'other')?.[2]).toBe(1_000);
  });

  test('of sellers tell a refusal, a failure with its reason, and an answer apart', async () => {
    const seller = {} as Seller;
    const signal = new AbortController().signal;
    const sellers = {
      getProducts: async () => [],
      createMediaBuy: async () => ({ kind: 'refused', code: 'NO', message: 'No.' }),
      getMediaBuy: async () => {
        throw new SellerError('timeout', 'Too late.');
      },
    } as unknown as Sellers;
    const meter = createMeter([]);
    const counted = countingSellers(sellers, meter);

    await counted.getProducts(seller, {} as never, signal);
    await counted.createMediaBuy(seller, {} as never, signal);
    await expect(counted.getMediaBuy(seller, {} as never, signal)).rejects.toThrow('Too late.');

    const text = expositionOf(meter.metrics());
    for (const line of [
      'rialto_seller_calls_total{operation="getProducts",outcome="ok"} 1',
      'rialto_seller_calls_total{operation="createMediaBuy",outcome="refused"} 1',
      'rialto_seller_calls_total{operation="getMediaBuy",outcome="timeout"} 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  test('of attempts to deliver are by outcome, in the words of the delivery log', () => {
    const meter = createMeter([]);
    for (const outcome of ['delivered', 'http_500', 'delivered', 'econnrefused']) meter.delivery(outcome);

    const text = expositionOf(meter.metrics());

    expect(text).toContain('rialto_webhook_deliveries_total{outcome="delivered"} 2\n');
    expect(text).toContain('rialto_webhook_deliveries_total{outcome="http_500"} 1\n');
    expect(text).toContain('rialto_webhook_deliveries_total{outcome="connection_refused"} 1\n');
    expect(text).not.toContain('econnrefused');
  });
});
