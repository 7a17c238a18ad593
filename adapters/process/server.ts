import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { StoreOptions } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { hasIndexOfNames } from '../../store/unscoped/names.ts';
import type { Services } from '../../tools/core/context.ts';
import { type Registry, registryOf } from '../../tools/core/families.ts';
import { operatorFor } from '../../tools/domain/organizations/operator.ts';
import { publishSetting } from '../../tools/domain/organizations/terms.ts';
import type { Places } from '../../tools/domain/webhooks/turns.ts';
import { families } from '../../tools/registry.ts';
import type { App } from '../http/app.ts';
import { listeningAt } from '../http/listening.ts';
import type { Measured } from '../operations/gauges.ts';
import { createMeter, type Meter } from '../operations/meter.ts';
import { type Operations, openOperations } from '../operations/operations.ts';
import { createBackground } from '../ports/background.ts';
import { createLink } from '../ports/link.ts';
import type { Config } from '../settings/config.ts';
import { askedForMs } from '../settings/doubts.ts';
import { startWebhookDelivery, type WebhookOptions } from '../webhooks/delivery.ts';
import type { Parts } from './app.ts';
import { createApp } from './app.ts';
import { startBuyPolls } from './buy-polls.ts';
import { createFront } from './front.ts';
import { startHousekeeping } from './housekeeping.ts';
import { type Outbound, openOutbound } from './outbound.ts';
import { retentionOf } from './retention.ts';
import { createServices } from './services.ts';

/** What else our keys sign lives a day at the most. */
const LONGEST_OTHER_SECONDS = 86_400;
const HEARD_MS = 120_000;

export interface Running {
  /** Where the service listens: what a client on this machine calls. */
  readonly url: string;
  readonly app: App;
  /** Has ready what the first page would have to wait for. */
  warm(): Promise<void>;
  /** Finishes what is under way and ends, within the grace of the settings. */
  stop(): Promise<void>;
}

const NO_INDEX_OF_NAMES =
  'The database has no index of names, so lists look through all names they are asked for: it may not have pg_trgm. ' +
  'Have its owner run: create extension pg_trgm schema public; create index campaigns_by_name on campaigns using ' +
  'gin (lower(name) public.gin_trgm_ops); and the same for advertisers and storefronts.';

/** Opens the store, brings it to its newest shape, takes over what a dead process left, and listens. */
export async function startServer(config: Config, parts: Parts): Promise<Running> {
  const stopSteps: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const step of stopSteps.splice(0).reverse()) await step();
  };
  const stopping = new AbortController();
  const closing = new AbortController();
  // Every open stream listens.
  setMaxListeners(0, stopping.signal, closing.signal);
  try {
    let port = config.port;
    const registry = registryOf(parts.families ?? families);
    const meter = createMeter(registry.tools.map(({ name }) => name));
    const operations = await openOperations(config, { meter, log: parts.log });
    stopSteps.push(() => operations.close());
    if (operations.url !== undefined) parts.log.info({ url: operations.url }, 'operator’s port');
    const watched = { config, parts, registry, meter, operations };
    const signals = { stopping: stopping.signal, closing: closing.signal };
    const app = await assemble({ ...watched, ...signals, port: () => port }, stopSteps);
    const front = createFront(app, parts.mcpExtension);
    port = await listeningAt(front.server, config);
    stopSteps.push(async () => {
      stopping.abort();
      const cancel = app.services.ports.clock.after(askedForMs(config), () => closing.abort());
      await front.drain(config.shutdownGraceMs);
      cancel();
    });
    operations.watch(measuredOf(app));
    return { url: `http://${hostFor(config.host)}:${port}`, app, warm: front.warm, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Assembly {
  readonly config: Config;
  readonly parts: Parts;
  readonly registry: Registry;
  readonly meter: Meter;
  readonly operations: Operations;
  readonly stopping: AbortSignal;
  readonly closing: AbortSignal;
  port(): number;
}

/** Everything but the socket. What it opens it puts on the list of steps that close it, last opened first. */
async function assemble(
  { config, parts, registry, meter, operations, ...signals }: Assembly,
  stopSteps: (() => Promise<void> | void)[],
) {
  const store = openStore(config.databaseUrl, { ...storeOptions(config), tally: meter, ...parts.store });
  stopSteps.push(() => store.close());
  const lock = store.engine.lock();
  stopSteps.unshift(() => lock.release());
  await store.migrate();
  if (!(await hasIndexOfNames(store))) parts.log.warn({}, NO_INDEX_OF_NAMES);
  const outbound = openOutbound(config, meter);
  stopSteps.push(() => outbound.sellers.close());
  stopSteps.push(() => outbound.providers.close());
  const background = createBackground(parts.log);
  const processId = randomUUID();
  const link = createLink(store, processId);
  stopSteps.push(async () => link?.close());
  const { services, keyring, limits } = createServices({
    processId,
    link,
    config,
    parts,
    registry,
    meter,
    store,
    outbound,
    background,
    ...signals,
  });
  await publishSetting(operatorFor(services, 'serve'), config.termsVersion);
  const own = byItself(services);
  const housekeeping = await startHousekeeping(own, {
    leaseMs: config.processLeaseMs,
    keysKeptMs: keysKeptMs(config),
    kept: retentionOf(config),
  });
  const polls = startBuyPolls(own, config.statusPollMs);
  const webhooks = startWebhookDelivery(own, webhookOptions(config, outbound));
  for (const work of [housekeeping, polls, webhooks, background]) stopSteps.push(() => work.stop());
  const { handle } = operations;
  const app = createApp({
    config,
    services,
    keyring,
    limits,
    link,
    providerFetch: outbound.providers.fetch,
    operations: handle,
    loopDelay: parts.loopDelay,
  });
  stopSteps.push(() => app.refused.stop());
  return app;
}

/** For what the service does by itself, which takes its turns at the database. */
function byItself(services: Services): Services {
  const { store } = services;
  return { ...services, store: { ...store, db: store.dbFor('service') } };
}

function storeOptions(config: Config): StoreOptions {
  return {
    connections: config.databaseConnections,
    namedStatements: config.databaseNamedStatements === 'on',
    waitMs: config.databaseWaitMs,
    asideBytes: config.databaseAsideBytes,
    longReads: {
      waiting: config.databaseListsWaiting,
      waitingOfOne: config.databaseListsWaitingPerOrganization,
    },
  };
}

function webhookOptions(config: Config, outbound: Outbound): WebhookOptions {
  return {
    guard: outbound.webhookGuard,
    ca: outbound.ca,
    timeoutMs: config.webhookTimeoutMs,
    slowMs: config.webhookSlowMs,
    places: placesOf(config),
  };
}

function placesOf(config: Config): Places {
  const inAll = config.webhooksAtOnce;
  const share = (percent: number) => Math.max(1, Math.floor((inAll * percent) / 100));
  const troubled = share(config.webhooksTroubledShare);
  // Never all of them: others have to get their turn as well.
  const kept = Math.min(share(config.webhooksTroubledKept), troubled, inAll - 1);
  return { inAll, perAccount: config.webhooksPerAccount, troubled, kept };
}

/** What the operator's view looks at, once callers can be answered. */
function measuredOf({ config, services, seats, keyring }: App): Measured {
  const { store, ports, processId, stopping, version, log } = services;
  return {
    store,
    log,
    clock: ports.clock,
    processId,
    processLeaseMs: config.processLeaseMs,
    stopping,
    keyring,
    version,
    databaseUrl: config.databaseUrl,
    engine: store.engine.name,
    openStreams: () => seats.taken,
  };
}

/** A retired key is believed as long as anything that it signed may live, and until every process heard of it. */
function keysKeptMs(config: Config): number {
  const seconds = Math.max(config.accessTokenSeconds, config.machineTokenSeconds, LONGEST_OTHER_SECONDS);
  return seconds * 1_000 + HEARD_MS;
}

function hostFor(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
