import { dirname, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vitest/config';
import { packageRoot } from '../../../adapters/settings/package-root.ts';

/** Where the product is written, and in the build under the same names. */
const PRODUCT = new RegExp(`^(?:adapters|store|tools)\\${sep}.+\\.ts$`);

/** What tests import from the build: Node loads it by itself, without asking the run for each file. */
export const BUILT = /\/dist\/(?:adapters|store|tools)\//;

/**
 * Has tests import the product as it was built. Node loads a module of its own in half the time in which one is loaded
 * that the run translates, and what it calls in others it finds faster. The build is made before the first test.
 */
export function builtProduct(): Plugin {
  return {
    name: 'built-product',
    enforce: 'pre',
    resolveId: (source, importer) => {
      if (!source.endsWith('.ts')) return undefined;
      const file = resolve(importer === undefined ? packageRoot : dirname(importer), source);
      const place = relative(packageRoot, file);
      return PRODUCT.test(place) ? resolve(packageRoot, 'dist', place.replace(/\.ts$/, '.js')) : undefined;
    },
  };
}
