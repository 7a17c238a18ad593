import { laguna } from './laguna.ts';
import { murano } from './murano.ts';
import type { CatalogProduct, Shelf } from './shelf.ts';

/** What the two storefronts of the sandbox sell: invented publishers, varied in every respect. */

function stock(shelves: readonly Shelf[]): CatalogProduct[] {
  return shelves.flatMap(({ lines, ...shelf }) =>
    lines.map(([name, description, cpm, minSpend, exposures]) => ({
      ...shelf,
      name,
      description,
      cpm,
      minSpend,
      exposures,
    })),
  );
}

export interface CatalogStorefront {
  readonly name: string;
  readonly platformId: string;
  readonly domain: string;
  readonly description: string;
  readonly channels: readonly ('display' | 'olv' | 'ctv' | 'social' | 'audio' | 'dooh')[];
  readonly products: readonly CatalogProduct[];
}

export const sandboxStorefronts: readonly CatalogStorefront[] = [
  {
    name: 'Laguna Media',
    platformId: 'laguna-media',
    domain: 'laguna-media.example',
    description: 'News, food, outdoors, television and neighbourhoods: five publishers under one roof.',
    channels: ['display', 'olv', 'ctv', 'social'],
    products: stock(laguna),
  },
  {
    name: 'Murano Audio & Outdoor',
    platformId: 'murano-audio-outdoor',
    domain: 'murano-audio.example',
    description: 'Podcasts, streams, screens, letters and games.',
    channels: ['audio', 'dooh'],
    products: stock(murano),
  },
];
