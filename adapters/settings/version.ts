import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from './package-root.ts';

const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

/** The version of the service, from its package. */
export const { version } = z.object({ version: z.string() }).parse(manifest);
