import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { capabilityFiles } from '../growth/capability.ts';
import { familyFiles } from '../growth/family.ts';
import { operations } from '../growth/subject.ts';

/** What a long run adds to a copy of the project, and the measure of how the tests grow with it. */
const added = {
  ...capabilityFiles,
  ...familyFiles({ surface: 'storefront', noun: 'signal', path: '/signals', operations, migration: 9999 }),
};

test('what is written by following CONTRIBUTING imports only what is there', () => {
  const imported = Object.entries(added).flatMap(([path, text]) =>
    [...text.matchAll(/from '(\.[^']+)'/g)].map(([, spec = '']) => join(dirname(path), spec)),
  );

  expect(imported.length).toBeGreaterThan(50);
  expect(imported.filter((path) => !(path in added) && !existsSync(join(packageRoot, path)))).toEqual([]);
});
