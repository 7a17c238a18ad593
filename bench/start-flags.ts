import { readFileSync } from 'node:fs';

/** What `npm start` tells Node: what is measured is started as it is served. */
export const startFlags: readonly string[] = flagsIn(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
);

function flagsIn({ scripts }: { readonly scripts: { readonly start: string } }): string[] {
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}
