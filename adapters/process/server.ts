import { randomUUID } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import { openStore } from '../../store/open.ts';
import { publishTerms } from '../../store/terms.ts';
import { nowOf } from '../../tools/core/moments.ts';
import type { App } from '../http/app.ts';
import { createBackground } from '../ports/background.ts';
import { createLink } from '../ports/link.ts';
import type { Config } from '../settings/config.ts';
import { startWebhookDelivery } from '../webhooks/delivery.ts';
import type { Parts } from './app.ts';
import { createApp } from './app.ts';
import { createFront } from './front.ts';
import { startHousekeeping } from './housekeeping.ts';
import { openOutbound } from './outbound.ts';
import { createServices } from './services.ts';

export interface Running {
  /** Where the service listens: what a client on this machine calls. */
  readonly url: string;
  readonly app: App;
  /** Finishes what is under way and ends, within the grace of the settings. */
  stop(): Promise<void>;
}

/** Opens the store, brings it to its newest shape, takes over what a dead process left, and listens. */
export async function startServer(config: Config, parts: Parts): Promise<Running> {
  const stopSteps: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const step of stopSteps.splice(0).reverse()) await step();
  };
  const stopping = new AbortController();
  // Every open stream listens.
  setMaxListeners(0, stopping.signal);
  try {
    let port = config.port;
    const app = await assemble({ config, parts, stopping: stopping.signal, port: () => port }, stopSteps);
    const front = createFront(app, parts.mcpExtension);
    port = await listen(front.server, config);
    stopSteps.push(() => front.drain(config.shutdownGraceMs));
    stopSteps.push(() => stopping.abort());
    return { url: `http://${hostFor(config.host)}:${port}`, app, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Assembly {
  readonly config: Config;
  readonly parts: Parts;
  readonly stopping: AbortSignal;
  port(): number;
}

/** Everything but the socket. What it opens it puts on the list of steps that close it, last opened first. */
async function assemble(
  { config, parts, stopping, port }: Assembly,
  stopSteps: (() => Promise<void> | void)[],
) {
  const store = openStore(config.databaseUrl, {
    connections: config.databaseConnections,
    namedStatements: config.databaseNamedStatements === 'on',
    waitMs: config.databaseWaitMs,
    asideBytes: config.databaseAsideBytes,
    ...parts.store,
  });
  stopSteps.push(() => store.close());
  const lock = store.engine.lock();
  stopSteps.unshift(() => lock.release());
  await store.migrate();
  const outbound = openOutbound(config);
  stopSteps.push(() => outbound.sellers.close());
  const background = createBackground(parts.log);
  const processId = randomUUID();
  const link = createLink(store, processId);
  stopSteps.push(async () => link?.close());
  const services = createServices({
    processId,
    link,
    config,
    parts,
    store,
    outbound,
    background,
    stopping,
    port,
  });
  await publishTerms(store.db, {
    version: config.termsVersion,
    effective_at: nowOf(services.ports.clock),
  });
  const housekeeping = await startHousekeeping(services, {
    leaseMs: config.processLeaseMs,
    kept: { discoveryDays: config.discoveryRetentionDays, auditDays: config.auditRetentionDays },
  });
  stopSteps.push(() => housekeeping.stop());
  const webhooks = startWebhookDelivery(services, {
    guard: outbound.webhookGuard,
    ca: outbound.ca,
    timeoutMs: config.webhookTimeoutMs,
    slowMs: config.webhookSlowMs,
    places: {
      inAll: config.webhooksAtOnce,
      perAccount: config.webhooksPerAccount,
      troubled: Math.max(1, Math.floor((config.webhooksAtOnce * config.webhooksTroubledShare) / 100)),
    },
  });
  stopSteps.push(() => webhooks.stop());
  stopSteps.push(() => background.stop());
  return createApp({ config, services, link });
}

async function listen(server: Server, config: Config): Promise<number> {
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : config.port;
}

function hostFor(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
