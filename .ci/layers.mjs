// Whether imports go one way, in every file of the layers: node .ci/layers.mjs
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const FOLDERS = ['adapters', 'store', 'tools', 'test/support'];

const { status, stdout, stderr } = spawnSync(
  join(root, 'node_modules/.bin/depcruise'),
  [...FOLDERS, '--config', '.dependency-cruiser.cjs'],
  { cwd: root, encoding: 'utf8' },
);
process.stdout.write(`${stdout}${stderr}`);
process.exitCode = status ?? 1;

// A rule holds easily where nothing was looked at.
const [, cruised = '0'] = /(\d+) modules/.exec(stdout) ?? [];
const files = FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { recursive: true })).filter(
  (name) => /\.(ts|mjs)$/.test(name),
);
if (Number(cruised) < files.length) {
  process.stdout.write(`${cruised} modules were looked at, of ${files.length} files.\n`);
  process.exitCode = 1;
}
