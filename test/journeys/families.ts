import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { surfaceNames } from '../../tools/core/surfaces.ts';

/** Every folder of a family, found where families stand: `buyer/advertisers`. */
export const familyFolders: readonly string[] = surfaceNames.flatMap((surface) =>
  readdirSync(join(packageRoot, 'tools', surface), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${surface}/${name}`),
);
