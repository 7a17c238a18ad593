import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { config as loadDotenv } from 'dotenv';
import { seedSandbox } from '../sandbox/sandbox.ts';
import { welcome } from '../sandbox/welcome.ts';
import { type Config, ConfigError, readConfig } from '../settings/config.ts';
import { createLog } from './logging.ts';
import { dataFolder } from './secrets-key.ts';
import { type Running, startServer } from './server.ts';

/** The process: settings, server, and a stop that finishes what is under way. */
async function main(): Promise<void> {
  // What a request leaves behind is cleared away sooner than other threads could be woken to help with it.
  setFlagsFromString('--no-parallel-scavenge');
  loadDotenv({ quiet: true });
  const config = readConfig();
  const log = await createLog(config, process.stdout.isTTY ? 'terminal' : 'lines');
  const running = await startServer(config, { log });
  let stopping = false;
  const stop = async (signal: string) => {
    // A second signal, or a stop that takes too long, ends the process at once.
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), config.shutdownGraceMs + STOP_SLACK_MS).unref();
    log.info({ signal }, 'stopping');
    await running.stop();
    log.info({ signal }, 'stopped');
    log.flush();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal));
  if (config.environment === 'development') await greet(running);
  log.info({ url: running.url }, 'ready');
}

const STOP_SLACK_MS = 5_000;

/** A fresh installation gets something to try, and whoever started it is told how. */
async function greet({ app, url }: Running): Promise<void> {
  const key = await seedSandbox(app.services);
  // What is no terminal may be a log, which keeps what it is told and shows it to others.
  const keyFile = key === undefined || process.stdout.isTTY ? undefined : keepKey(app.config, key);
  process.stdout.write(`${welcome({ version: app.services.version, url, key, keyFile })}\n`);
}

/** Puts a key into a file that this user alone can read. */
function keepKey(config: Config, key: string): string {
  const file = resolve(dataFolder(config), 'sandbox.key');
  mkdirSync(dirname(file), { recursive: true });
  // One that is there already may be open to others.
  rmSync(file, { force: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : describe(error)}\n`);
  process.exit(1);
});

/** While the service starts it connects to nothing but its database. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    return 'The port is in use. Set PORT to another one, or stop what listens there.';
  }
  if ('code' in error && UNREACHABLE.has(String(error.code))) {
    return `The database at DATABASE_URL does not answer (${error.message || error.code}).`;
  }
  return `The service could not start: ${error.message}`;
}
