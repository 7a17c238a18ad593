import { accessSync, constants, statSync } from 'node:fs';
import type { Store } from '../../store/engine/db.ts';
import { filePath } from '../../store/engine/dialect.ts';
import { damageOf } from '../../store/engine/sqlite-copy.ts';
import { logAlone } from '../../store/engine/sqlite-files.ts';
import { shapeOf } from '../../store/migrations/shape.ts';
import { openStore } from '../../store/open.ts';
import { listProcesses } from '../../store/unscoped/processes.ts';
import { suspendedAndLiving } from '../../tools/domain/buying/living-in-organizations.ts';
import { outOfTime } from '../process/authorities.ts';
import { presentSecretsKeys } from '../process/secrets-key.ts';
import { problemOf } from '../process/start-problem.ts';
import { type Config, ConfigError, readConfig } from '../settings/config.ts';
import { doubtsIn } from '../settings/doubts.ts';
import { type Finding, failed, fine, warned } from './findings.ts';
import { lookAtDisk, lookAtPorts } from './machine.ts';
import { lookAtMail, lookAtProvider } from './people-ways.ts';
import { lookAtKeys } from './sealed.ts';
import { lookAtSellers } from './sellers.ts';
import { lookAtOrders } from './unknown-orders.ts';

/** The clocks of two machines, or of one machine at two times, may differ by as much. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Looks at everything that a service needs, and says what to do where something is not well. Changes nothing. */
export async function doctor(): Promise<{ text: string; isWell: boolean }> {
  const findings = await examine();
  const lines = findings.flatMap(({ state, about, said, remedy }) => [
    `${MARKS[state]} ${about.padEnd(ABOUT_WIDTH)} ${said}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(MARKS.fine.length + ABOUT_WIDTH + 1)} → ${remedy}`]),
  ]);
  return { text: lines.join('\n'), isWell: findings.every(({ state }) => state !== 'failed') };
}

const MARKS = { fine: 'ok  ', warned: 'warn', failed: 'FAIL' } as const;
const ABOUT_WIDTH = 11;

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(unusable);
  }
  return [
    ...lookAtSettings(config),
    ...(await lookAtDatabase(config)),
    ...(await lookAtMail(config)),
    ...(await lookAtProvider(config)),
    ...(await lookAtDisk(config)),
    ...(await lookAtPorts(config)),
  ];
}

function unusable(problem: string): Finding {
  return failed('settings', problem, 'Correct it; docs/settings.md lists all settings.');
}

/** Files without which the service does not start, and what they hold that is over. */
function lookAtNamedFiles(config: Config): Finding[] {
  return [lookAtAuthorities, lookAtSecretsKeys].flatMap((look) => {
    try {
      return look(config);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems.map(unusable);
    }
  });
}

function lookAtAuthorities(config: Config): Finding[] {
  const remedy = 'Put the one that follows it into the file: whom it vouches for is trusted no more.';
  return outOfTime(config, Date.now()).map((said) => warned('settings', said, remedy));
}

function lookAtSecretsKeys(config: Config): Finding[] {
  presentSecretsKeys(config);
  return [];
}

function lookAtSettings(config: Config): Finding[] {
  const isMailMissing = config.environment === 'production' && config.mailUrl === undefined;
  const found = [
    ...lookAtNamedFiles(config),
    ...(isMailMissing ? [warned('settings', 'No mail is sent.', 'Set MAIL_URL and MAIL_FROM.')] : []),
    ...doubtsIn(config).map(({ said, remedy }) => warned('settings', said, remedy)),
  ];
  return found.length === 0 ? [fine('settings', 'All can be used.')] : found;
}

/** What there is to say of a file before it is opened for work; undefined when it is there and whole. */
function lookAtFile(config: Config): Finding | undefined {
  const { databaseUrl } = config;
  if (!databaseUrl.startsWith('file:') || databaseUrl === 'file::memory:') return undefined;
  const path = filePath(databaseUrl);
  try {
    const alone = logAlone(path);
    return alone === undefined ? lookInto(path) : failed('database', alone.said, alone.remedy);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) return unreached(error, config);
    return fine('database', `There is none at ${path} yet; the first start makes it.`);
  }
}

function lookInto(path: string): Finding | undefined {
  if (!statSync(path).isFile())
    return failed('database', `${path} is no file.`, 'Set DATABASE_URL to file:<path of a file>.');
  accessSync(path, constants.R_OK | constants.W_OK);
  const damage = damageOf(path);
  return damage === undefined
    ? undefined
    : failed('database', `${path} is damaged: ${damage}`, 'Restore a backup: restore <file> --replace.');
}

async function lookAtDatabase(config: Config): Promise<Finding[]> {
  const found = lookAtFile(config);
  if (found !== undefined) return [found];
  let store: Store | undefined;
  try {
    store = openStore(config.databaseUrl, { connections: 1, waitMs: config.databaseWaitMs });
    return await lookInside(config, store);
  } catch (error) {
    return [unreached(error, config)];
  } finally {
    await store?.close();
  }
}

function unreached(error: unknown, config: Config): Finding {
  const said = error instanceof Error ? error.message || String(error) : String(error);
  const remedy = error instanceof Error ? problemOf(error, config) : undefined;
  return failed('database', `It does not answer: ${said}`, remedy ?? 'Start it, or correct DATABASE_URL.');
}

async function lookInside(config: Config, store: Store): Promise<Finding[]> {
  const { newest, due, unknown } = await shapeOf(store.db);
  if (unknown.length > 0) {
    const remedy = 'Install the version that made them, or a later one.';
    return [failed('database', `A newer version was here: it has ${unknown.join(', ')}.`, remedy)];
  }
  if (newest === undefined)
    return [fine('database', 'It answers and is empty; the first start makes its tables.')];
  const steps =
    due.length === 0
      ? fine('database', `It answers (${store.engine.name}), and is at ${newest}.`)
      : warned('database', `${due.length} steps are due.`, 'Run migrate, or start the service.');
  if (due.length > 0) return [steps];
  return [
    steps,
    ...(await lookAtKeys(config, store)),
    await lookAtClock(store),
    ...(await lookAtSellers(config, store)),
    ...(await lookAtSuspended(store)),
    ...(await lookAtOrders(store)),
  ];
}

const SUSPENDED_MAX = 20;
const MORE_SUSPENDED = `These are the first ${SUSPENDED_MAX} of them: more suspended organizations have campaigns that live at sellers.`;

/** What suspended organizations have at sellers is delivered and paid until somebody stops it. */
async function lookAtSuspended({ db }: Store): Promise<Finding[]> {
  const rows = await suspendedAndLiving(db, SUSPENDED_MAX + 1);
  const areMore = rows.splice(SUSPENDED_MAX).length > 0;
  const named = rows.map(({ organization_id: id, campaigns }) =>
    warned(
      'spending',
      `Organization ${id} is suspended, and ${campaigns} of its campaigns still ${campaigns === 1 ? 'lives' : 'live'} at sellers.`,
      `campaign pause --organization ${id} --all holds them, campaign cancel --organization ${id} --all calls them off.`,
    ),
  );
  return areMore
    ? [...named, warned('spending', MORE_SUSPENDED, 'Stop those first, and run doctor again.')]
    : named;
}

/** Against the database, where that has a clock of its own, and against the last time that a process was seen. */
async function lookAtClock(store: Store): Promise<Finding> {
  const remedy = 'Let the machine keep its time by NTP: leases, tokens and limits go by it.';
  const there = await store.engine.time(store.db);
  const apart = there === undefined ? 0 : Math.abs(Date.now() - there.getTime());
  if (apart > CLOCK_TOLERANCE_MS) {
    return failed(
      'clock',
      `It is ${Math.round(apart / 1_000)} s apart from the clock of the database.`,
      remedy,
    );
  }
  const [last] = await listProcesses(store.db);
  const ahead = last === undefined ? 0 : Date.parse(last.seen_at) - Date.now();
  return ahead > CLOCK_TOLERANCE_MS
    ? failed('clock', `It was ${Math.round(ahead / 1_000)} s ahead when the service was last seen.`, remedy)
    : fine('clock', new Date().toISOString());
}
