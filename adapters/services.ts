import { randomUUID } from 'node:crypto';
import type { Store } from '../store/db.ts';
import type { Services } from '../tools/context.ts';
import type { Background } from '../tools/ports.ts';
import type { Parts } from './app.ts';
import type { Config } from './config.ts';
import { systemClock } from './outbound/clock.ts';
import { randomIds } from './outbound/ids.ts';
import { sealWith } from './outbound/secrets.ts';
import { createWake } from './outbound/wake.ts';
import { secretsKey } from './secrets-key.ts';
import { version } from './version.ts';

interface Given {
  readonly config: Config;
  readonly parts: Parts;
  readonly store: Store;
  readonly background: Background;
  readonly stopping: AbortSignal;
}

/** What every call gets, from the settings and the parts that were put in place of the usual ones. */
export function createServices({ config, parts, store, background, stopping }: Given): Services {
  const clock = parts.clock ?? systemClock;
  return {
    store,
    log: parts.log,
    processId: randomUUID(),
    version,
    stopping,
    limits: {
      sellerTimeoutMs: config.sellerTimeoutMs,
      discoveryTimeoutMs: config.discoveryTimeoutMs,
      sellersAtOnce: config.sellersAtOnce,
    },
    ports: {
      clock,
      ids: parts.ids ?? randomIds,
      sellers: parts.sellers ?? NO_SELLERS,
      secrets: sealWith(secretsKey(config)),
      wake: createWake(clock),
      background,
    },
  };
}
const NO_SELLERS = {
  getProducts: async () => [],
  createMediaBuy: async () => ({ kind: 'submitted' as const, taskId: '' }),
  getMediaBuy: async () => ({ kind: 'task' as const, status: '' }),
};
