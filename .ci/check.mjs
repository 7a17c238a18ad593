// Everything that is checked without running the service, as many parts beside each other as there are processors.
// What a part has to say is printed whole when it ends, and every part is heard, also where an earlier one failed.
// A fresh clone gets its packages first; what else it needs to run is made beside the checks, none of which runs it.
// With --only-look nothing is made: somebody else does that, or has.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build, compileDriver, installPackages } from '../adapters/cli/prepare.mjs';

const root = join(import.meta.dirname, '..');

/** The longest first, so that the others find room beside them. */
const PARTS = {
  'types fit': ['node', 'node_modules/tsc-native/bin/tsc'],
  'form and rules of the code': ['biome', 'ci', '--colors=off', '.'],
  'imports go one way': ['node', '.ci/layers.mjs'],
  'nothing stands unused': ['knip'],
  'documents are as generated': ['tsx', 'adapters/docs/generate.ts', '--check'],
  'packages are what they should be': ['node', '.ci/packages.mjs'],
  'commits are in form': ['node', '.ci/commits.mjs'],
};

/** Runs a part and says how it ended; resolves to whether it passed. */
function run([title, [command, ...args]]) {
  const started = Date.now();
  const output = [];
  return new Promise((resolve) => {
    // npm names the folder of their programs in PATH.
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      const said = Buffer.concat(output).toString().trim();
      const end = code === 0 ? 'yes' : 'NO';
      process.stdout.write(
        `${title}: ${end}, ${Math.round((Date.now() - started) / 1000)} s\n${said === '' ? '' : `${said}\n\n`}`,
      );
      resolve(code === 0);
    });
  });
}

/** Runs a part of what makes a clone ready, which says itself how long it took; resolves to whether it passed. */
async function make(part) {
  const problem = await part();
  if (problem !== undefined) process.stdout.write(`${problem}\n`);
  return problem === undefined;
}

const looks = Object.entries(PARTS).map((part) => () => run(part));
const onlyLooks = process.argv.includes('--only-look');
if (!onlyLooks) await installPackages();
const waiting = onlyLooks ? looks : [() => make(compileDriver), ...looks, () => make(build)];
const ends = [];
const lane = async () => {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) ends.push(await part());
};
await Promise.all(Array.from({ length: availableParallelism() }, lane));
process.exitCode = ends.every(Boolean) ? 0 : 1;
