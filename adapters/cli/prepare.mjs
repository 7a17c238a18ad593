// What a fresh clone needs before anything of it can run: packages and a build. Runs on Node alone, as a
// module of the other commands and as a command of its own.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The service in few files, and the one of them that it starts from. */
export const bundle = join(root, 'dist', 'bundle');
export const service = join(bundle, 'main.js');

const NODE_MIN = [20, 19];
/** From here on, of that major alone: objects of drivers like ours trip a check when let go (nodejs/node 65446). */
const NODE_FATAL = [24, 19];
const SOURCES = ['adapters', 'store', 'tools'];
const TICK_MS = process.stderr.isTTY ? 1_000 : 10_000;

const modules = join(root, 'node_modules');
/** What the database driver compiles to. It is put there when it is whole. */
const driver = join(modules, 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node');

/** Installs the packages and builds, each only when it is due, and says what takes time. */
export async function prepare() {
  await installPackages();
  const problems = await Promise.all([compileDriver(), build()]);
  const said = problems.filter((problem) => problem !== undefined);
  if (said.length > 0) fail(said.join('\n'));
}

/** All but the driver: a build and most checks can begin without it. */
export async function installPackages() {
  requireNode();
  if (packagesAreThere()) return;
  refuseLink();
  const problem = await step('Installing packages', npm(), [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ]);
  if (problem !== undefined) fail(problem);
}

/** Resolves to what went wrong, if something did; so does `build`, beside which it may run. */
export async function compileDriver() {
  if (existsSync(driver)) return undefined;
  refuseLink();
  const problem = await step('Compiling the database driver, a minute or a few', npm(), [
    'rebuild',
    'better-sqlite3',
    '--ignore-scripts=false',
  ]);
  if (problem !== undefined || existsSync(driver)) return problem;
  return `The database driver was compiled, but is not at ${driver}.`;
}

export async function build() {
  if (buildIsFresh()) return undefined;
  for (const file of builtOfGoneSources()) rmSync(file, { force: true });
  const tsc = join(modules, 'tsc-native', 'bin', 'tsc');
  // Whether types fit is for `npm run check` to say: looking takes three times as long as writing.
  const problem = await step('Building', [process.execPath, tsc], ['-p', 'tsconfig.build.json', '--noCheck']);
  if (problem !== undefined) return problem;
  return step('Bundling', [process.execPath, join(root, 'adapters', 'cli', 'bundle.mjs')], []);
}

function requireNode() {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
    fail(`Node ${NODE_MIN.join('.')} or later is needed; this is ${node}.`);
  }
  if (major === NODE_FATAL[0] && minor >= NODE_FATAL[1]) {
    fail(
      `Node ${NODE_FATAL.join('.')} and later of ${major} end the process amid its work, when a statement of the database ` +
        `driver is let go; this is ${node}. Take Node 22 or 26.`,
    );
  }
}

/** npm notes what it installed last; that note is younger than the lock file it was made from. */
function packagesAreThere() {
  const note = join(modules, '.package-lock.json');
  return existsSync(note) && changedAt(note) >= changedAt(join(root, 'package-lock.json'));
}

/** npm begins by emptying the folder, and through a link that would be a folder of somebody else. */
function refuseLink() {
  if (!lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  fail('node_modules is a link to packages that do not fit this version. Remove the link, then try again.');
}

function buildIsFresh() {
  // What is written last tells that all before it was.
  if (!existsSync(service)) return false;
  const since = changedAt(service);
  return SOURCES.every(
    (folder) =>
      changedAt(join(root, folder)) <= since &&
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        // A source that is gone has changed its folder.
        .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
        .every(({ parentPath, name }) => changedAt(join(parentPath, name)) <= since),
  );
}

/** What sources left in the build that are gone since: steps of the database are found by their files. */
function builtOfGoneSources() {
  return SOURCES.filter((folder) => existsSync(join(root, 'dist', folder))).flatMap((folder) =>
    readdirSync(join(root, 'dist', folder), { recursive: true })
      .filter((name) => name.endsWith('.js') && !existsSync(join(root, folder, name.replace(/\.js$/, '.ts'))))
      .map((name) => join(root, 'dist', folder, name)),
  );
}

function changedAt(path) {
  return statSync(path).mtimeMs;
}

function npm() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? [process.execPath, cli] : ['npm'];
}

/**
 * Runs a command with its output held back, and shows that it goes on. Resolves to what it said if it fails: what
 * runs beside it is not left behind half done.
 */
function step(title, [command, ...before], args) {
  const started = Date.now();
  const output = [];
  const seconds = () => Math.round((Date.now() - started) / 1000);
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
    const end = (problem) => {
      clearInterval(ticker);
      if (problem === undefined) say(`${title}: done in ${seconds()} s`, '\n');
      resolve(problem);
    };
    child.on('error', (error) => end(`${title} could not start: ${error.message}`));
    child.on('close', (code) =>
      end(code === 0 ? undefined : `${title} failed:\n${Buffer.concat(output).toString()}`),
    );
  });
}

/** Beside what a command prints: that may be read by another program. */
function say(text, end) {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}${end}` : `${text}\n`);
}

function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await prepare();
