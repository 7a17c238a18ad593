import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** From here up to the package: one level in the sources, two in the build. */
const places = ['../package.json', '../../package.json'];

function readVersion(): string {
  for (const place of places) {
    try {
      const text = readFileSync(new URL(place, import.meta.url), 'utf8');
      return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
    } catch {}
  }
  throw new Error('package.json is missing.');
}

/** The version of the service, from its package. */
export const version = readVersion();
