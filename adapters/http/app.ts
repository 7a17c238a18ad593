import type { BlockList } from 'node:net';
import type { StoreOptions } from '../../store/engine/db.ts';
import type { Log, Services } from '../../tools/core/context.ts';
import type { Stream, Tool } from '../../tools/core/define.ts';
import type { Clock, Ids, Sellers } from '../../tools/core/ports.ts';
import { streams, tools } from '../../tools/registry.ts';
import { apiKeyRecogniser } from '../auth/api-key.ts';
import { type Identify, identifyWith } from '../auth/identify.ts';
import type { Extension } from '../mcp/server-parts.ts';
import type { Config } from '../settings/config.ts';
import type { BodyLimits } from './body.ts';
import { blockListOf } from './client-ip.ts';
import { createRateLimits, type RateLimits } from './rate-limit.ts';

/** What a test or an embedding application may put in place of the usual parts. */
export interface Parts {
  readonly log: Log;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly sellers?: Sellers;
  readonly tools?: readonly Tool[];
  readonly streams?: readonly Stream[];
  readonly store?: StoreOptions;
  readonly mcpExtension?: Extension;
}

/** What the adapters are made from. */
export interface App {
  readonly config: Config;
  readonly services: Services;
  readonly tools: readonly Tool[];
  readonly streams: readonly Stream[];
  readonly identify: Identify;
  readonly limits: RateLimits;
  readonly trustedProxies: BlockList | undefined;
  readonly bodyLimits: BodyLimits;
  readonly mcpExtension: Extension | undefined;
}

export function createApp(config: Config, services: Services, parts: Parts): App {
  return {
    config,
    services,
    tools: parts.tools ?? tools,
    streams: parts.streams ?? streams,
    identify: identifyWith([apiKeyRecogniser(services, config.brand)]),
    limits: createRateLimits(config, services.ports.clock),
    trustedProxies: config.trustedProxies.length === 0 ? undefined : blockListOf(config.trustedProxies),
    bodyLimits: { maxBytes: config.bodyMaxBytes, maxDepth: config.bodyMaxDepth },
    mcpExtension: parts.mcpExtension,
  };
}
