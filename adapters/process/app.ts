import type { StoreOptions } from '../../store/engine/db.ts';
import type { Log, Services } from '../../tools/core/context.ts';
import type { Family } from '../../tools/core/families.ts';
import type { Carrier, Clock, Ids } from '../../tools/core/ports.ts';
import type { Sellers } from '../../tools/domain/sellers/port.ts';
import { accessTokenRecogniser } from '../auth/access-token.ts';
import { apiKeyRecogniser } from '../auth/api-key.ts';
import { identifyWith } from '../auth/identify.ts';
import { legacyKeyRecogniser } from '../auth/legacy-key.ts';
import { providerRecognisers } from '../auth/provider-key.ts';
import { serviceTokenRecogniser } from '../auth/service-token.ts';
import { sessionRecogniser } from '../auth/session.ts';
import { tokenKindsOf } from '../auth/token-kinds.ts';
import type { Keyring } from '../auth/tokens.ts';
import type { App, Handler } from '../http/app.ts';
import { notingRefused } from '../http/noting-refused.ts';
import { createOverload, loopDelay } from '../http/overload.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { countRefusedSignIns } from '../http/refused-sign-ins.ts';
import { createStreamSeats } from '../http/stream-seats.ts';
import { createTokenPlaces } from '../http/token-places.ts';
import { createWatch } from '../http/watch.ts';
import type { Extension } from '../mcp/server-parts.ts';
import { blockListOf } from '../net/addresses.ts';
import type { Link } from '../ports/link.ts';
import type { Fetch } from '../sellers/seller-fetch.ts';
import type { Config } from '../settings/config.ts';

/** What a test or an embedding application may put in place of the usual parts. */
export interface Parts {
  readonly log: Log;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly sellers?: Sellers;
  readonly mail?: Carrier;
  readonly families?: readonly Family[];
  readonly store?: StoreOptions;
  /** How late the event loop is, in milliseconds. */
  readonly loopDelay?: (() => number) | undefined;
  readonly mcpExtension?: Extension;
}

interface Assembled {
  readonly config: Config;
  readonly services: Services;
  readonly keyring: Keyring;
  readonly limits: RateLimits;
  readonly link: Link | undefined;
  readonly providerFetch: Fetch;
  readonly operations: Handler;
  readonly loopDelay: (() => number) | undefined;
}

export function createApp(assembled: Assembled): App {
  const { config, services, keyring, limits, link, providerFetch, operations } = assembled;
  const { loopDelay: given } = assembled;
  const trustedProxies = config.trustedProxies.length === 0 ? undefined : blockListOf(config.trustedProxies);
  const refused = countRefusedSignIns(services);
  const known = identifyWith(
    [
      // It knows at the first letters what is none of its own; of a key the hash is taken first.
      accessTokenRecogniser(services, tokenKindsOf(services)),
      apiKeyRecogniser(services, config.brand),
      serviceTokenRecogniser(services),
      legacyKeyRecogniser(services, { brand: config.brand, retireAt: config.legacyKeysRetireAt }),
      ...providerRecognisers(services, {
        brand: config.brand,
        cacheMs: config.credentialProviderCacheMs,
      }),
    ],
    sessionRecogniser(services, { brand: config.brand, idleMs: config.sessionIdleMs }),
  );
  const { networkOf } = limits.people;
  const noting = { services, brand: config.brand, trustedProxies, networkOf, note: refused.note };
  const identify = notingRefused(known, noting);
  return {
    config,
    services,
    ...services.registry,
    identify,
    tokenPlaces: createTokenPlaces(services),
    keyring,
    providerFetch,
    operations,
    watch: createWatch(services, identify),
    limits,
    refused,
    overload: createOverload(config, {
      tally: services.ports.tally,
      delay: given ?? (config.overloadDelayMs > 0 ? loopDelay() : () => 0),
    }),
    seats: createStreamSeats(config, services.ports.tally),
    link,
    trustedProxies,
    bodyLimits: {
      maxBytes: config.bodyMaxBytes,
      maxDepth: config.bodyMaxDepth,
      maxValues: config.bodyMaxValues,
    },
  };
}
