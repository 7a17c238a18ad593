import { describe, expect, test } from 'vitest';
import { toJson } from '../../store/engine/codec.ts';
import { embeddedIn, offersFor } from '../../tools/domain/sellers/embedded/catalog.ts';

const party = { brand: 'acme.example', operator: 'acme.example', sandbox: false };

function product(name: string, description: string, more: object = {}) {
  const stored = { product_id: name, name, description, channels: ['display'], pricing_options: [], ...more };
  return embeddedIn({ product: toJson(stored) });
}

function offered(products: readonly ReturnType<typeof product>[], query: object) {
  const offers = offersFor({ party, timeBudgetSeconds: 30, ...query });
  for (const one of products) offers.add(one);
  const { products: found, ...rest } = offers.result();
  return { ...rest, names: found.map(({ name }) => name) };
}

describe('what the embedded seller offers for a brief', () => {
  test('puts a word that few products have before one that most have', () => {
    const shelf = [
      product('News front', 'Morning news.'),
      product('News sport', 'Evening news.'),
      product('News maps', 'Midday news.'),
      product('Harbour', 'For people who sail.'),
    ];

    expect(offered(shelf, { brief: 'News for those who sail' }).names[0]).toBe('Harbour');
  });

  test('matches nothing by words that every advertisement has', () => {
    const shelf = [product('Cartoons', 'Advertising campaign slots for media brands.')];

    const { names, briefMatched } = offered(shelf, {
      brief: 'An advertising campaign for our brand in media',
    });

    expect(names).toEqual(['Cartoons']);
    expect(briefMatched).toBe(false);
  });

  test('does not match what a product allows, only what it is for', () => {
    const shelf = [
      product('Cartoons', 'Series for children. Rules for alcohol and betting are strict.'),
      product('Football', 'Live scores, with betting odds.'),
    ];

    expect(offered(shelf, { brief: 'betting' }).names).toEqual(['Football']);
  });

  test('gives the first of the catalog where two match alike, whatever their names', () => {
    const shelf = ['Ärzte', 'zebra', 'Alpha'].map((name) => product(name, 'For gardeners.'));

    expect(offered(shelf, { brief: 'gardens' }).names).toEqual(['Ärzte', 'zebra', 'Alpha']);
  });

  test('finds video by its format on a channel that is not video by itself', () => {
    const shelf = [
      product('Puzzles', 'Rewarded clips.', {
        channels: ['gaming'],
        format_ids: [{ id: 'rewarded_video_30s' }],
      }),
      product('Billboards', 'In races.', { channels: ['gaming'], format_ids: [{ id: 'billboard' }] }),
      product('Lessons', 'In-stream.', { channels: ['olv'] }),
    ];

    const { names, hidden } = offered(shelf, { channels: ['video'] });

    expect(names).toEqual(['Puzzles', 'Lessons']);
    expect(hidden).toEqual({ channels: 1 });
  });
});
