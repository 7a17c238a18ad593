import { rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { config as loadDotenv } from 'dotenv';
import { makeFolder } from '../../store/engine/folders.ts';
import { unawaited } from '../../tools/core/unawaited.ts';
import { operatorFor } from '../../tools/domain/organizations/operator.ts';
import { findSandbox } from '../../tools/domain/organizations/organizations.ts';
import type { App } from '../http/app.ts';
import { seedSandbox } from '../sandbox/sandbox.ts';
import { welcome } from '../sandbox/welcome.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { doubtsIn } from '../settings/doubts.ts';
import { catchTheRest } from './last-resort.ts';
import { createLog, type ProcessLog } from './logging.ts';
import { dataFolder } from './secrets-key.ts';
import { type Running, startServer } from './server.ts';
import { startProblem } from './start-problem.ts';

/** The settings, once they were read: what goes wrong afterwards is told with them. */
let settingsRead: Config | undefined;

/** The process: settings, server, and a stop that finishes what is under way. */
async function main(): Promise<void> {
  // What a request leaves behind is cleared away sooner than other threads could be woken to help with it.
  setFlagsFromString('--no-parallel-scavenge');
  // While it warms up, many requests wait side by side; V8 would take that for their nature and make their parts
  // in the old generation from then on, where each dead one keeps alive whatever it points to.
  setFlagsFromString('--no-allocation-site-pretenuring');
  loadDotenv({ quiet: true });
  const config = readConfig();
  settingsRead = config;
  const log = await createLog(config, process.stdout.isTTY ? 'terminal' : 'lines');
  for (const { said, remedy } of doubtsIn(config)) log.warn({ remedy }, said);
  const running = await startServer(config, { log });
  const stop = stopOf(running, { config, log });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop('told', signal));
  catchTheRest(log, () => stop('failed', 'failure'));
  if (config.environment === 'development') await greet(running);
  else if (config.mailUrl === undefined)
    log.warn({}, 'no mail is sent: set MAIL_URL; npm run rialto -- mail list shows what would be');
  log.info({ url: running.url }, 'ready');
  // What was waiting for the service is answered first.
  running.app.services.ports.clock.after(WARM_AFTER_MS, () => unawaited(running.warm(), log, 'warming up'));
}

const WARM_AFTER_MS = 1_000;

const STOP_SLACK_MS = 5_000;

/** What makes a process stop, and what it ends with. */
const CODES = { told: 0, failed: 1 };

/** Finishes what is under way and ends the process. */
function stopOf(running: Running, { config, log }: { readonly config: Config; readonly log: ProcessLog }) {
  const causes = new Set<keyof typeof CODES>();
  const stop = async (reason: string) => {
    setTimeout(() => process.exit(1), config.shutdownGraceMs + STOP_SLACK_MS).unref();
    log.info({ signal: reason }, 'stopping');
    await running.stop();
    log.info({ signal: reason }, 'stopped');
  };
  const end = (code: number) => {
    log.flush();
    process.exit(code);
  };
  return (cause: keyof typeof CODES, reason: string) => {
    // Told twice, failed twice, or a stop that takes too long: the process ends at once. One of each is one stop.
    if (causes.has(cause)) end(1);
    causes.add(cause);
    if (causes.size > 1) return log.info({ signal: reason }, 'stopping already, told so meanwhile');
    stop(reason).then(
      () => end(Math.max(...[...causes].map((one) => CODES[one]))),
      (err: unknown) => {
        log.error({ err }, 'the stop failed');
        end(1);
      },
    );
  };
}

/** A fresh installation gets something to try, and whoever started it is told how. */
async function greet({ app, url }: Running): Promise<void> {
  const { services, config } = app;
  const key = await seedSandbox(services);
  const link = key === undefined ? undefined : await firstLink(app);
  // What is no terminal may be a log, which keeps what it is told and shows it to others.
  const kept = (name: string, secret: string | undefined) =>
    secret === undefined || process.stdout.isTTY ? undefined : keepSecret(config, { name, secret });
  const facts = {
    version: services.version,
    url,
    key,
    keyFile: kept('sandbox.key', key),
    link,
    linkFile: kept('sign-in.link', link),
  };
  process.stdout.write(`${welcome(facts)}\n`);
}

/** Makes whoever opens it the administrator of the sandbox. */
async function firstLink({ services }: App): Promise<string | undefined> {
  const { makeAdministratorLink } = await import('../people/administrator-link.ts');
  const sandbox = await findSandbox(services.store);
  if (sandbox === undefined) return undefined;
  const actor = operatorFor(services, 'start');
  return makeAdministratorLink(actor, { organizationId: sandbox.id, publicUrl: services.publicUrl() });
}

/** Puts what nobody else may see into a file that this user alone can read. */
function keepSecret(config: Config, { name, secret }: { name: string; secret: string }): string {
  const file = resolve(dataFolder(config), name);
  makeFolder(dirname(file));
  // One that is there already may be open to others.
  rmSync(file, { force: true });
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}

main().catch((error: unknown) => {
  process.stderr.write(`${startProblem(error, settingsRead)}\n`);
  process.exit(1);
});
