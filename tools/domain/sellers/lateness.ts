import { noteSellerAnswers } from '../../../store/unscoped/seller-standings.ts';
import type { Services } from '../../core/context.ts';
import { DAY_MS, nowOf } from '../../core/moments.ts';
import { ofProcess } from '../../core/of-process.ts';
import { type Failed, storeFailures } from './last-failures.ts';
import type { Seller } from './port.ts';

/** Once is bad luck. */
const TIMES = 2;
/** For so long a seller is remembered for what it did: each answer in time makes it prompt again. */
const REMEMBERED_MS = DAY_MS;
/** What is stored of a seller that goes on answering is written anew after this long. */
const WRITTEN_ANEW_MS = REMEMBERED_MS / 4;
const SELLERS_MAX = 10_000;

/** What a seller is known for: prompt answers, time that ran out again and again, or nothing of either. */
export type Standing = 'prompt' | 'unknown' | 'late';

interface Record {
  /** Calls in a row that took longer than a seller has. */
  readonly late: number;
  /** When it was asked last, in milliseconds. */
  readonly at: number;
}

/** What this process saw itself, which is fresher than what was read with the seller. */
const sellersOf = ofProcess(() => new Map<string, Record>());

/** What became of the last calls to a seller, in this process, or else in any, also before a restart. */
function recordOf(services: Services, { agentId, history }: Seller): Record | undefined {
  const seen = sellersOf(services).get(agentId);
  if (seen !== undefined || history === undefined) return seen;
  const at = history.lateCalls > 0 ? history.lateAt : history.answeredAt;
  return at === null ? undefined : { late: history.lateCalls, at: Date.parse(at) };
}

/** What a seller is known for, if it was asked lately. */
export function promptnessOf(services: Services, seller: Seller): Standing {
  const record = recordOf(services, seller);
  if (record === undefined || record.at + REMEMBERED_MS <= services.ports.clock.now()) return 'unknown';
  if (record.late === 0) return 'prompt';
  return record.late >= TIMES ? 'late' : 'unknown';
}

/** How the sellers of a session answered: known at once in this process, and to all when it is stored. */
export class Answers {
  readonly #services: Services;
  readonly #inTime: string[] = [];
  readonly #late: string[] = [];
  readonly #failed: Failed[] = [];

  constructor(services: Services) {
    this.#services = services;
  }

  note(seller: Seller, inTime: boolean, failed?: Failed): void {
    const before = recordOf(this.#services, seller);
    const now = this.#services.ports.clock.now();
    this.#remember(seller.agentId, { late: inTime ? 0 : (before?.late ?? 0) + 1, at: now });
    if (failed !== undefined) this.#failed.push(failed);
    if (!inTime) this.#late.push(seller.source.id);
    else if (!isStored(seller, now)) this.#inTime.push(seller.source.id);
  }

  /** Stores it. When that fails, this process knows it all the same. */
  async store(): Promise<void> {
    const { store, ports, log } = this.#services;
    await storeFailures(this.#services, this.#failed.splice(0));
    const [inTime, late] = [this.#inTime.splice(0), this.#late.splice(0)];
    if (inTime.length + late.length === 0) return;
    const at = nowOf(ports.clock);
    try {
      await store.transaction((tx) => noteSellerAnswers(tx, { inTime, late, at }));
    } catch (error) {
      log.warn({ err: error }, 'how sellers answered could not be stored');
    }
  }

  #remember(agentId: string, record: Record): void {
    const records = sellersOf(this.#services);
    records.delete(agentId);
    const [oldest] = records.keys();
    if (records.size >= SELLERS_MAX && oldest !== undefined) records.delete(oldest);
    records.set(agentId, record);
  }
}

/** Whether it is known to all, and has been for a short time only, that a seller answers. */
function isStored({ history }: Seller, now: number): boolean {
  if (history === undefined || history.answeredAt === null || history.lateCalls > 0) return false;
  return now - Date.parse(history.answeredAt) < WRITTEN_ANEW_MS;
}
