import type { Services } from '../../tools/core/context.ts';
import { pollBuys } from '../../tools/domain/buying/following/buy-polling.ts';

/** Buys whose time has come are looked for this often, and sooner while there are more than one round takes. */
const LOOK_EVERY_MS = 5_000;
const NEXT_ROUND_MS = 100;

export interface BuyPolls {
  stop(): Promise<void>;
}

/** Asks sellers how buys stand without anybody asking for it. An interval of 0 leaves it to the buyers. */
export function startBuyPolls(services: Services, everyMs: number): BuyPolls {
  const { clock } = services.ports;
  const stopping = new AbortController();
  let cancel = () => {};
  let current: Promise<unknown> = Promise.resolve();
  const again = (hasMore: boolean) => {
    if (stopping.signal.aborted) return;
    cancel = clock.after(hasMore ? NEXT_ROUND_MS : LOOK_EVERY_MS, () => {
      current = pollBuys(services, { everyMs, signal: stopping.signal }).then(again, (err: unknown) => {
        services.log.error({ err }, 'asking about media buys failed');
        again(false);
      });
    });
  };
  if (everyMs > 0) again(false);
  return {
    stop: async () => {
      stopping.abort();
      cancel();
      await current;
    },
  };
}
