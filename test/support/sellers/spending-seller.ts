import type { FarSeller } from './far-seller.ts';

interface Part {
  readonly package_id: string;
  readonly product_id: unknown;
  budget: number;
  readonly start_time: string;
  readonly end_time: string;
  spent: number;
}

interface Kept {
  readonly media_buy_id: string;
  readonly status: string;
  readonly packages: Part[];
}

/**
 * A seller that takes and shows every change at once, and spends each package evenly to its end. It tells of no
 * delivery.
 */
export interface SpendingSeller {
  /** Spends until then, from where it was. */
  spendUntil(moment: number): void;
  /** What was spent on a day of UTC. */
  spentOn(day: string): number;
}

type Fields = Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);
const text = (value: unknown, other: string) => (typeof value === 'string' ? value : other);

export function spendingSeller({ agent, name }: FarSeller, begins: number): SpendingSeller {
  const kept = new Map<string, Kept>();
  const days = new Map<string, number>();
  let at = begins;
  const shown = ({ media_buy_id, status, packages }: Kept) => ({
    media_buy_id,
    status,
    packages: packages.map(({ package_id, product_id, budget }) => ({ package_id, product_id, budget })),
  });
  agent.on('create_media_buy', ({ packages, start_time, end_time }) => {
    const id = `${name}_${kept.size + 1}_${begins}`;
    const now = new Date(at).toISOString();
    const flight = {
      start_time: start_time === 'asap' ? now : text(start_time, now),
      end_time: text(end_time, now),
    };
    const parts = listOf(packages).map(({ product_id, budget }, index) => ({
      package_id: `${id}_${index + 1}`,
      product_id,
      budget: Number(budget),
      ...flight,
      spent: 0,
    }));
    const buy = { media_buy_id: id, status: 'active', packages: parts };
    kept.set(id, buy);
    return shown(buy);
  });
  agent.on('get_media_buys', ({ media_buy_ids: ids }) => ({
    media_buys: [ids].flat().flatMap((id) => {
      const buy = kept.get(String(id));
      return buy === undefined ? [] : [shown(buy)];
    }),
  }));
  agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
  agent.on('update_media_buy', ({ media_buy_id, packages }) => {
    const buy = kept.get(String(media_buy_id));
    if (buy === undefined) return { errors: [{ code: 'MEDIA_BUY_NOT_FOUND', message: 'None.' }] };
    for (const part of buy.packages) {
      const asked = listOf(packages).find(({ package_id }) => package_id === part.package_id)?.['budget'];
      if (typeof asked === 'number') part.budget = asked;
    }
    return shown(buy);
  });
  const spend = (part: Part, to: number) => {
    const [first, over] = [Math.max(at, Date.parse(part.start_time)), Date.parse(part.end_time)];
    const last = Math.min(to, over);
    if (last <= first) return;
    const minor = (Math.max(0, part.budget - part.spent) * (last - first)) / (over - first);
    part.spent += minor;
    const day = new Date(first).toISOString().slice(0, 10);
    days.set(day, (days.get(day) ?? 0) + minor);
  };
  return {
    spendUntil: (moment) => {
      while (at < moment) {
        const to = Math.min(moment, (Math.floor(at / DAY_MS) + 1) * DAY_MS);
        for (const part of [...kept.values()].flatMap(({ packages }) => packages)) spend(part, to);
        at = to;
      }
    },
    spentOn: (day) => days.get(day) ?? 0,
  };
}
