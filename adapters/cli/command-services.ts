import { randomUUID } from 'node:crypto';
import { openStore } from '../../store/open.ts';
import { beat, forgetProcess } from '../../store/unscoped/processes.ts';
import type { Log, Services } from '../../tools/core/context.ts';
import { registryOf } from '../../tools/core/families.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { families } from '../../tools/registry.ts';
import { createMeter } from '../operations/meter.ts';
import { createBackground } from '../ports/background.ts';
import { createLink } from '../ports/link.ts';
import { openOutbound } from '../process/outbound.ts';
import { createServices } from '../process/services.ts';
import type { Config } from '../settings/config.ts';

/** One holds a transaction while another one reads. */
const CONNECTIONS = 4;

/** Services that live as long as one command, and how the others are told that it lives. */
export interface AtWork {
  readonly services: Services;
  /** What it has under way is nobody's to take over: to be said within each lease. */
  sayAlive(): Promise<void>;
}

/**
 * Works as the service does, whether or not one runs: sellers are asked, and those who wait are woken. A command
 * that dies on the way leaves what it had under way to the service, as another process would.
 */
export async function atWork<T>(config: Config, work: (at: AtWork) => Promise<T>): Promise<T> {
  const store = openStore(config.databaseUrl, { connections: CONNECTIONS, waitMs: config.databaseWaitMs });
  const outbound = openOutbound(config);
  const background = createBackground(quiet);
  const over = new AbortController();
  const processId = randomUUID();
  const link = createLink(store, processId);
  try {
    await store.migrate();
    const registry = registryOf(families);
    const { services } = createServices({
      config,
      parts: { log: quiet },
      store,
      registry,
      meter: createMeter(registry.tools.map(({ name }) => name)),
      processId,
      outbound,
      background,
      link,
      stopping: over.signal,
      closing: over.signal,
      port: () => config.port,
    });
    const { ports } = services;
    const sayAlive = () =>
      beat(store.db, { id: processId, now: nowOf(ports.clock), keyIds: ports.secrets.keyIds });
    await sayAlive();
    return await work({ services, sayAlive });
  } finally {
    await background.stop();
    over.abort();
    await forgetProcess(store.db, processId);
    await Promise.all([link?.close(), outbound.sellers.close(), outbound.providers.close()]);
    await store.close();
  }
}

/** The command prints what came of each call; what went wrong inside is told where nobody caught it. */
const quiet: Log = {
  request: () => {},
  info: () => {},
  warn: () => {},
  error: (fields, message) => {
    const { err } = fields as { err?: unknown };
    process.stderr.write(`${message}${err instanceof Error ? `: ${err.message}` : ''}\n`);
  },
};
