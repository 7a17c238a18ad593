import { idsBy } from '../../../adapters/ports/ids.ts';
import { keyMaker } from '../../../adapters/ports/keys.ts';
import type { Parts } from '../../../adapters/process/app.ts';
import { type Running, startServer } from '../../../adapters/process/server.ts';
import { type Config, readConfig } from '../../../adapters/settings/config.ts';
import type { Store } from '../../../store/engine/db.ts';
import type { AnyDefinition } from '../../../tools/core/define.ts';
import type { Clock } from '../../../tools/core/ports.ts';
import type { StreamDefinition } from '../../../tools/core/streams.ts';
import { type Operator, operatorOf } from '../../../tools/domain/organizations/operator.ts';
import { freshDatabase, type TestDatabase } from '../database/database.ts';
import { ScopeGuard } from '../database/scope-guard.ts';
import { runningClock } from '../run/clock.ts';
import { type RecordedLog, recordingLog } from '../run/log.ts';
import { familyOf } from './family.ts';
import { hangUp } from './hang-up.ts';
import { type RecordedMail, recordingMail } from './mail.ts';

/** One hash takes a few milliseconds; test/people/guessing.test.ts looks at the work that is meant. */
const PASSWORD_COST = 10;

export interface TestServer {
  readonly url: string;
  readonly store: Store;
  readonly operator: Operator;
  readonly log: RecordedLog;
  /** What was sent to people. */
  readonly mail: RecordedMail;
  readonly running: Running;
  readonly database: TestDatabase;
  readonly config: Config;
  stop(): Promise<void>;
}

export interface TestOptions extends Partial<Parts> {
  /** Settings by the names of their variables. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Capabilities of a buyer that are served in place of the registry's. */
  readonly tools?: readonly AnyDefinition[];
  readonly streams?: readonly StreamDefinition[];
  /** Another server's database, to serve beside or after it. */
  readonly database?: TestDatabase;
  /** A server that nobody else uses, for tests that count everything there is or read the whole log. */
  readonly own?: true;
}

/** The server of this worker: every file that wants nothing special of its server is served by it. */
let shared: Promise<TestServer> | undefined;

/**
 * The real server on a port of its own and a database of its own, with every query guarded. Without options it
 * is one that other files of the worker use as well, each with organizations of its own; it stays until the
 * worker ends, and its database until the run does.
 */
export async function startTestServer(options?: TestOptions): Promise<TestServer> {
  if (options !== undefined) return startOwnServer(options);
  shared ??= startOwnServer({}).then(staying);
  return shared;
}

/** The same server for whoever may not stop it. */
function staying(server: TestServer): TestServer {
  return {
    ...server,
    get operator() {
      return server.operator;
    },
    stop: async () => {},
  };
}

async function startOwnServer({ own: _own, ...options }: TestOptions): Promise<TestServer> {
  const { settings = {}, database: given, tools, streams, ...others } = options;
  const parts =
    tools === undefined && streams === undefined
      ? others
      : { ...others, families: [familyOf(tools ?? [], streams)] };
  const database = given ?? (await freshDatabase());
  const read = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: '4',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    RATE_LIMIT_STANDARD: '1000000',
    SELLER_ALLOWED_ORGANIZATIONS: '*',
    // One address of this machine, where nobody listens: webhooks go to it, and no name is looked up.
    WEBHOOK_ALLOWED_CIDRS: '127.255.255.254/32',
    // A machine that tests keep busy is late, and whatever is asked of it is to be answered all the same.
    OVERLOAD_DELAY_MS: '0',
    // Sellers are asked when a test asks.
    STATUS_POLL_MS: '0',
    ...settings,
  });
  // Less than an operator may choose, but where a test does: most are about what is done with passwords.
  const isChosen = settings['PASSWORD_COST'] !== undefined;
  const config: Config = isChosen ? read : { ...read, passwordCost: PASSWORD_COST };
  const log = recordingLog();
  const clock = parts.clock ?? clockAt(database);
  const mail = recordingMail();
  const running = await startServer(config, {
    log,
    mail,
    clock,
    store: { plugins: [new ScopeGuard()] },
    ...parts,
  });
  const { store } = running.app.services;
  return {
    url: running.url,
    store,
    get operator() {
      return operatorOf({ store, clock, ids: idsBy(clock), keys: keyMaker(config.brand) }, 'test');
    },
    log,
    mail,
    running,
    database,
    config,
    stop: async () => {
      const stopped = running.stop();
      hangUp();
      await stopped;
      if (given === undefined) await database.drop();
    },
  };
}

/** All processes of a database have the same time: what one wrote is in the past of who starts after it. */
const clocks = new WeakMap<TestDatabase, Clock>();

function clockAt(database: TestDatabase): Clock {
  const clock = clocks.get(database) ?? runningClock();
  clocks.set(database, clock);
  return clock;
}
