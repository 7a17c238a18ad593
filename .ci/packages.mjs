// Checks the packages that package-lock.json names: each has a checksum, those of an installation have a licence
// that lets anybody run and change the service, and none but the known ones runs a script when it is installed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? join(import.meta.dirname, '..');

/** By their SPDX names. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);
/** What they do: the driver compiles or fetches itself; the bundler looks whether its program runs. */
const SCRIPTS = new Set(['better-sqlite3', 'esbuild']);

function isAllowed(licence) {
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => LICENCES.has(name.trim())));
}

function nameOf(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** A developer's program for another system: it was not at hand when the lock was written, and npm wants it named. */
function isForOthers({ dev, optional, os }) {
  return dev === true && optional === true && os !== undefined;
}

function faultsOf([path, entry]) {
  const name = nameOf(path);
  const isInstalled = entry.dev !== true;
  const isChecked = /^sha512-/.test(entry.integrity ?? '') || isForOthers(entry);
  return [
    ...(isChecked ? [] : ['has no checksum in package-lock.json']),
    ...(!isInstalled || isAllowed(entry.license ?? '')
      ? []
      : [`has the licence ${entry.license ?? 'of nobody'}, which is not on the list`]),
    ...(entry.hasInstallScript !== true || SCRIPTS.has(name) ? [] : ['runs a script when it is installed']),
  ].map((fault) => `${name} ${entry.version}: ${fault}.`);
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const problems = Object.entries(packages)
  .filter(([path, entry]) => path !== '' && entry.link !== true)
  .flatMap(faultsOf);
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n.ci/packages.mjs says what is allowed.\n`);
  process.exitCode = 1;
}
