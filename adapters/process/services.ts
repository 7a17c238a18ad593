import { hash } from 'node:crypto';
import type { Store } from '../../store/engine/db.ts';
import type { Services } from '../../tools/core/context.ts';
import { registryOf } from '../../tools/core/families.ts';
import type { Background, Clock, Digest, Ids, Secrets } from '../../tools/core/ports.ts';
import { embeddedSellers } from '../../tools/domain/sellers/embedded/seller.ts';
import type { Sellers } from '../../tools/domain/sellers/port.ts';
import { families } from '../../tools/registry.ts';
import { systemClock } from '../ports/clock.ts';
import { randomIds } from '../ports/ids.ts';
import { keyMaker } from '../ports/keys.ts';
import type { Link } from '../ports/link.ts';
import { sealWith } from '../ports/secrets.ts';
import { createWake } from '../ports/wake.ts';
import { createSellers } from '../sellers/sellers.ts';
import { type Config, publicUrlOf } from '../settings/config.ts';
import { version } from '../settings/version.ts';
import { receiversBehind } from '../webhooks/receivers.ts';
import type { Parts } from './app.ts';
import type { Outbound } from './outbound.ts';
import { secretsKey } from './secrets-key.ts';

const digest: Digest = (text) => hash('sha256', text, 'hex');

interface Given {
  readonly config: Config;
  readonly parts: Parts;
  readonly store: Store;
  readonly processId: string;
  readonly outbound: Outbound;
  readonly background: Background;
  readonly stopping: AbortSignal;
  /** To the other processes of the database, where there may be any. */
  readonly link: Link | undefined;
  /** The port that was given; known once the service listens. */
  port(): number;
}

/** What every call gets, from the settings and the parts that were put in place of the usual ones. */
export function createServices(given: Given): Services {
  const { config, parts, store, background, outbound, stopping } = given;
  const clock = parts.clock ?? systemClock;
  const ids = parts.ids ?? randomIds;
  const secrets = sealWith(secretsKey(config));
  return {
    store,
    log: parts.log,
    processId: given.processId,
    version,
    publicUrl: () => publicUrlOf(config, given.port()),
    stopping,
    registry: registryOf(parts.families ?? families),
    limits: {
      sellerTimeoutMs: config.sellerTimeoutMs,
      discoveryTimeoutMs: config.discoveryTimeoutMs,
      sellersAtOnce: config.sellersAtOnce,
      processLeaseMs: config.processLeaseMs,
      quotas: {
        sourcesPerStorefront: config.sourcesPerStorefront,
        productsPerStorefront: config.productsPerStorefront,
        openSessions: config.openSessions,
        storedSessions: config.storedSessions,
        productsPerSession: config.productsPerSession,
        bytesPerSession: config.bytesPerSession,
        bytesPerSeller: config.bytesPerSeller,
        choicesPerSession: config.choicesPerSession,
      },
    },
    ports: {
      clock,
      ids,
      sellers: parts.sellers ?? sellersOf(given, { clock, ids, secrets }),
      secrets,
      digest,
      wake: createWake(clock, given.link),
      background,
      keys: keyMaker(config.brand),
      receivers: receiversBehind(outbound.webhookGuard),
    },
  };
}

function sellersOf(
  { config, store, outbound }: Given,
  { clock, ids, secrets }: { clock: Clock; ids: Ids; secrets: Secrets },
): Sellers {
  return createSellers({
    agent: async () => {
      const { agentSellers } = await import('../sellers/agent-seller.ts');
      return agentSellers({ config, routes: outbound.sellers, clock, secrets });
    },
    embedded: embeddedSellers({ store, clock, ids, digest }),
  });
}
