import { config as loadDotenv } from 'dotenv';
import { ConfigError, readConfig } from './config.ts';
import { createLog } from './logging.ts';
import { startServer } from './server.ts';

/** The process: settings, server, and a stop that finishes what is under way. */
export async function main(): Promise<void> {
  loadDotenv({ quiet: true });
  const config = readConfig();
  const log = createLog(config, process.stdout.isTTY ? 'terminal' : 'lines');
  const running = await startServer(config, { log });
  log.info({ url: running.url }, 'ready');
  const stop = async (signal: string) => {
    process.once(signal, () => process.exit(1));
    log.info({ signal }, 'stopping');
    await running.stop();
    log.flush();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop(signal));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exit(1);
});
