import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../adapters/settings/package-root.ts';

/** Every folder of a family, found where families stand: `buyer/advertisers`. */
export const familyFolders: readonly string[] = ['buyer', 'storefront', 'platform'].flatMap((surface) =>
  readdirSync(join(packageRoot, 'tools', surface), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${surface}/${name}`),
);
