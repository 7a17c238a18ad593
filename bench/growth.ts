/**
 * How `npm test` grows with the number of capabilities: `npx tsx bench/growth.ts [families]`. It copies the project
 * twice, once as it is and once with so many families of five dummy capabilities (ten unless said otherwise), gets
 * both ready, runs the whole of `npm test` in each, one after the other, and says what a capability costs: in
 * seconds of the processor, which neighbours disturb less than those of the clock. Some twenty minutes on two cores.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../adapters/settings/package-root.ts';
import { copyProject, runIn } from '../test/growth/project.ts';
import { cpuMsOf, cpuMsOfReaped } from './cpu-time.ts';

const PER_FAMILY = 5;
/** What a capability may cost at the most, in seconds. */
const PROMISE_S = 1;

interface Measured {
  readonly own: number;
  readonly database: number;
  readonly clock: number;
  readonly passed: boolean;
}

const families = Number(process.argv[2] ?? 10);
const root = mkdtempSync(join(tmpdir(), 'rialto-growing-'));
try {
  const [before, after] = [join(root, 'as-it-is'), join(root, 'with-dummies')];
  copyProject(packageRoot, before);
  await pass(packageRoot, `npx tsx bench/dummies.ts ${after} ${families}`);
  for (const folder of [before, after]) await pass(folder, 'node adapters/cli/prepare.mjs');
  const [one, other] = [await measure('as it is', before), await measure('with dummies', after)];
  const count = families * PER_FAMILY;
  const each = (other.own + other.database - one.own - one.database) / count;
  const clock = (other.clock - one.clock) / count;
  const kept = each < PROMISE_S && one.passed && other.passed;
  say(
    `${count} capabilities: ${each.toFixed(2)} s of the processor each, ${clock.toFixed(2)} s of the clock.`,
  );
  say(`Less than ${PROMISE_S} s, and both pass: ${kept ? 'KEPT' : 'NOT KEPT'}.`);
  process.exitCode = kept ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Runs the tests of a project. Its processes are counted once they have ended, PostgreSQL's by themselves. */
async function measure(what: string, folder: string): Promise<Measured> {
  const [database, started, began] = [cpuOfPostgres(), cpuMsOfReaped('self'), Date.now()];
  const { code, printed } = await runIn(folder, 'npm test');
  const measured = {
    own: (cpuMsOfReaped('self') - started) / 1_000,
    database: (cpuOfPostgres() - database) / 1_000,
    clock: (Date.now() - began) / 1_000,
    passed: code === 0,
  };
  const { own, database: ofDatabase, clock } = measured;
  say(`${what}: ${own.toFixed(0)} s, PostgreSQL ${ofDatabase.toFixed(0)} s, clock ${clock.toFixed(0)} s.`);
  say(code === 0 ? '' : printed);
  return measured;
}

/** Of all its processes, those that have ended too. */
function cpuOfPostgres(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.reduce((sum, pid) => sum + postgresAt(pid), 0);
}

function postgresAt(pid: string): number {
  try {
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    return name === 'postgres' ? cpuMsOf(pid) + cpuMsOfReaped(pid) : 0;
  } catch {
    // It has ended since the list was made: whoever started it counts it.
    return 0;
  }
}

async function pass(folder: string, command: string): Promise<void> {
  const { code, printed } = await runIn(folder, command);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${printed}`);
}

function say(text: string): void {
  if (text !== '') process.stdout.write(`${text}\n`);
}
