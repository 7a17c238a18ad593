import type { IncomingMessage } from 'node:http';
import type { TestServer } from '../server/server.ts';
import { reportsAtTheEnd } from './end-reports.ts';
import { type FarSeller, farSeller } from './far-seller.ts';

interface Kept {
  readonly media_buy_id: string;
  readonly status: string;
  readonly packages: readonly object[];
}

type Answering = (answer: object, request: IncomingMessage) => unknown;

/** A seller that keeps what it sold, changes it as it is told, and shows it so. */
export interface KeepingSeller extends FarSeller {
  /** Takes orders, and changes what it sold at once: as it does at first. */
  willing(): void;
  /** Takes orders in this state from now on. */
  takes(status: string): void;
  /** Takes every change to decide on it later. */
  undecided(): void;
  /** Refuses every change. */
  refuses(code?: string): void;
  /** Answers no change at all: its connections end. */
  unreachable(): void;
  /** Shows all it sold in this state from now on. */
  shows(status: string): void;
  /** Sends what this makes of its answer to an order from now on. */
  answersOrders(answer: Answering): void;
  /** What it was told to change, in order. */
  readonly told: readonly object[];
}

export async function keepingSeller(
  server: TestServer,
  name: string,
  products?: readonly object[],
): Promise<KeepingSeller> {
  const far = await farSeller(server, name, products);
  const { agent, agentId } = far;
  const kept = new Map<string, Kept>();
  let taken = 'active';
  let answering: Answering = (answer) => answer;
  agent.on('create_media_buy', ({ packages }, request) => {
    const id = `${agentId}_${kept.size + 1}`;
    const sold = (packages as { product_id: string; budget: number }[]).map(
      ({ product_id, budget }, index) => ({ package_id: `${id}_${index}`, product_id, budget }),
    );
    const buy = { media_buy_id: id, status: taken, packages: sold };
    kept.set(id, buy);
    return answering(buy, request);
  });
  agent.on('get_media_buys', ({ media_buy_ids }) => {
    const [id = ''] = [media_buy_ids].flat().map(String);
    return { media_buys: [kept.get(id)].filter((one) => one !== undefined) };
  });
  agent.on('get_media_buy_delivery', reportsAtTheEnd(kept));
  agent.on('get_task_status', ({ task_id }) => ({ task_id, status: 'working' }));
  const willing = () =>
    agent.on('update_media_buy', ({ media_buy_id, canceled, paused }) => {
      const buy = kept.get(String(media_buy_id));
      if (buy === undefined) return { errors: [{ code: 'MEDIA_BUY_NOT_FOUND', message: 'Unknown.' }] };
      const changed = { ...buy, status: statusAfter({ canceled, paused }) ?? buy.status };
      kept.set(buy.media_buy_id, changed);
      return changed;
    });
  willing();
  return {
    ...far,
    willing,
    takes: (status) => {
      taken = status;
    },
    answersOrders: (answer) => {
      answering = answer;
    },
    undecided: () => agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' })),
    refuses: (code = 'INVALID_STATE') =>
      agent.on('update_media_buy', () => ({ adcp_error: { code, message: 'Not now.' } })),
    unreachable: () =>
      agent.on('update_media_buy', (_args, request) => {
        request.socket.destroy();
        return new Promise(() => {});
      }),
    shows: (status) => {
      for (const [id, buy] of kept) kept.set(id, { ...buy, status });
    },
    get told() {
      return agent.calls.filter(({ tool }) => tool === 'update_media_buy').map(({ args }) => args);
    },
  };
}

function statusAfter({ canceled, paused }: { canceled: unknown; paused: unknown }): string | undefined {
  if (canceled === true) return 'canceled';
  if (paused === true) return 'paused';
  return paused === false ? 'active' : undefined;
}
