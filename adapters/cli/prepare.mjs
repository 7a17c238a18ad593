// What a fresh clone needs before anything of it can run: packages and a build. Runs on Node alone, as a
// module of the other commands and as a command of its own.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The service in few files, and the one of them that it starts from. */
export const bundle = join(root, 'dist', 'bundle');
export const service = join(bundle, 'main.js');

const NODE_MIN = [20, 19];
const SOURCES = ['adapters', 'store', 'tools'];
const TICK_MS = process.stdout.isTTY ? 1_000 : 10_000;

/** Installs the packages and builds, each only when it is due, and says what takes time. */
export async function prepare() {
  requireNode();
  if (!packagesAreThere()) {
    refuseLink();
    await step('Installing packages (the database driver compiles, about a minute)', npm(), [
      'ci',
      '--no-audit',
      '--no-fund',
    ]);
  }
  if (!buildIsFresh()) {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    // Whether types fit is for `npm run check` to say: looking takes three times as long as writing.
    await step('Building', [process.execPath, tsc], ['-p', 'tsconfig.build.json', '--noCheck']);
    await step('Bundling', [process.execPath, join(root, 'adapters', 'cli', 'bundle.mjs')], []);
  }
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  fail(`Node ${NODE_MIN.join('.')} or later is needed; this is ${process.versions.node}.`);
}

/** npm notes what it installed last; that note is younger than the lock file it was made from. */
function packagesAreThere() {
  const note = join(root, 'node_modules', '.package-lock.json');
  return existsSync(note) && changedAt(note) >= changedAt(join(root, 'package-lock.json'));
}

/** npm begins by emptying the folder, and through a link that would be a folder of somebody else. */
function refuseLink() {
  const modules = join(root, 'node_modules');
  if (!lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  fail('node_modules is a link to packages that do not fit this version. Remove the link, then try again.');
}

function buildIsFresh() {
  // What is written last tells that all before it was.
  if (!existsSync(service)) return false;
  const since = changedAt(service);
  return SOURCES.every((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .every((name) => changedAt(join(root, folder, name)) <= since),
  );
}

function changedAt(path) {
  return statSync(path).mtimeMs;
}

function npm() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? [process.execPath, cli] : ['npm'];
}

/** Runs a command with its output held back; shows that it goes on, and what it said if it fails. */
function step(title, [command, ...before], args) {
  const started = Date.now();
  const output = [];
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const say = (text, end) =>
    process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${text}${end}` : `${text}\n`);
  say(`${title} …`, '');
  const ticker = setInterval(() => say(`${title} … ${seconds()} s`, ''), TICK_MS);
  return new Promise((resolve) => {
    const child = spawn(command, [...before, ...args], {
      cwd: root,
      // The parts of the driver compile beside each other.
      env: { JOBS: 'max', ...process.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', (error) => fail(`${title} could not start: ${error.message}`));
    child.on('close', (code) => {
      clearInterval(ticker);
      if (code !== 0) fail(`${title} failed:\n${Buffer.concat(output).toString()}`);
      say(`${title}: done in ${seconds()} s`, '\n');
      resolve();
    });
  });
}

function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare();
