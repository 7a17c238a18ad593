import type { StoreOptions } from '../../store/engine/db.ts';
import type { Log, Services } from '../../tools/core/context.ts';
import type { Family } from '../../tools/core/families.ts';
import type { Clock, Ids } from '../../tools/core/ports.ts';
import type { Sellers } from '../../tools/domain/sellers/port.ts';
import { apiKeyRecogniser } from '../auth/api-key.ts';
import { identifyWith } from '../auth/identify.ts';
import type { App } from '../http/app.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import { createStreamSeats } from '../http/stream-seats.ts';
import { createWatch } from '../http/watch.ts';
import type { Extension } from '../mcp/server-parts.ts';
import { blockListOf } from '../net/addresses.ts';
import type { Link } from '../ports/link.ts';
import type { Config } from '../settings/config.ts';

/** What a test or an embedding application may put in place of the usual parts. */
export interface Parts {
  readonly log: Log;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly sellers?: Sellers;
  readonly families?: readonly Family[];
  readonly store?: StoreOptions;
  readonly mcpExtension?: Extension;
}

interface Assembled {
  readonly config: Config;
  readonly services: Services;
  readonly link: Link | undefined;
}

export function createApp({ config, services, link }: Assembled): App {
  const identify = identifyWith([apiKeyRecogniser(services, config.brand)]);
  return {
    config,
    services,
    ...services.registry,
    identify,
    watch: createWatch(services, identify),
    limits: createRateLimits(config, services.ports.clock, link),
    seats: createStreamSeats(config),
    trustedProxies: config.trustedProxies.length === 0 ? undefined : blockListOf(config.trustedProxies),
    bodyLimits: { maxBytes: config.bodyMaxBytes, maxDepth: config.bodyMaxDepth },
  };
}
