import { reportsAtTheEnd } from './end-reports.ts';
import type { FarSeller } from './far-seller.ts';

interface Package {
  readonly package_id: string;
  readonly product_id?: unknown;
  readonly budget?: unknown;
}

interface Kept {
  readonly media_buy_id: string;
  readonly status: string;
  readonly packages: readonly Package[];
}

/** What a seller keeps of its buys, by their ids at it. */
export type KeptBuys = Map<string, Kept>;

const listOf = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value : []);

/**
 * Has a seller take each order and each change of it at once, and show the buy as it then is; again where it keeps
 * some.
 */
export function takesChanges(
  { agent, name }: Pick<FarSeller, 'agent' | 'name'>,
  kept: KeptBuys = new Map(),
): KeptBuys {
  agent.on('create_media_buy', ({ packages }) => {
    const id = `${name}_${next(agent)}`;
    const parts = listOf(packages).map(({ product_id, budget }, index) => ({
      package_id: `${id}_${index + 1}`,
      product_id,
      budget,
    }));
    return keep(kept, { media_buy_id: id, status: 'active', packages: parts });
  });
  agent.on('get_media_buys', ({ media_buy_ids: ids }) => ({
    media_buys: (Array.isArray(ids) ? ids : []).flatMap((id) => kept.get(String(id)) ?? []),
  }));
  agent.on('get_media_buy_delivery', reportsAtTheEnd(kept));
  agent.on('update_media_buy', ({ media_buy_id, packages, new_packages, paused, canceled }) => {
    const buy = kept.get(String(media_buy_id));
    if (buy === undefined) return { errors: [{ code: 'MEDIA_BUY_NOT_FOUND', message: 'None.' }] };
    const status = statusAfter(buy.status, { paused, canceled });
    const asked = listOf(packages);
    const parts = buy.packages.map((part) => ({
      ...part,
      ...asked.find(({ package_id }) => package_id === part.package_id),
    }));
    const added = listOf(new_packages).map(({ product_id, budget }, index) => ({
      package_id: `${buy.media_buy_id}_${parts.length + index + 1}`,
      product_id,
      budget,
    }));
    return keep(kept, { ...buy, status, packages: [...parts, ...added] });
  });
  return kept;
}

/** Orders of each seller so far, whatever test they are of: no two have one id. */
const orders = new WeakMap<object, number>();

function next(agent: object): number {
  const number = (orders.get(agent) ?? 0) + 1;
  orders.set(agent, number);
  return number;
}

function statusAfter(status: string, { paused, canceled }: { paused: unknown; canceled: unknown }): string {
  if (canceled === true) return 'canceled';
  return paused === undefined ? status : paused === true ? 'paused' : 'active';
}

function keep(kept: KeptBuys, buy: Kept): Kept {
  kept.set(buy.media_buy_id, buy);
  return buy;
}

/** Has a seller decide on changes later: `decides` says how the task of the last one ended. */
export function decidesLater({ agent }: Pick<FarSeller, 'agent'>): { decides(answer: object): void } {
  agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
  agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));
  return {
    decides: (answer) => agent.on('get_task_status', () => ({ task_id: 'task_1', ...answer })),
  };
}
