import { makeScope, type Scope } from '../../../store/engine/scope.ts';
import {
  type AccountEventRow,
  hasUnplaced,
  isAfter,
  listEventsAfter,
  type Place,
  placeEvents,
} from '../../../store/events.ts';
import type { Context, Services } from '../../core/context.ts';
import { turn } from '../../core/event-loop-turn.ts';
import { ofProcess } from '../../core/of-process.ts';
import type { Frame } from '../../core/streams.ts';
import { unawaited } from '../../core/unawaited.ts';
import { eventsTopic } from './telling.ts';

/** Events that are read at a time, and the latest of an account that are kept for those who follow it. */
const EVENTS_AT_ONCE = 100;
/** Whoever stores an event wakes the reader; should that be lost, it looks again after this long. */
const LOOK_AGAIN_MS = 15_000;
/** Followers that are woken before everybody else has a turn of the event loop. */
const WOKEN_AT_ONCE = 100;

/** An event and where it stands. All who follow it are given the same frame, so that its bytes are made once. */
export interface Placed {
  readonly at: Place;
  readonly advertiserId: number;
  readonly frame: Frame;
}

/** Gives every event that is stored by now its place, in steps between which others have their turn. */
export async function placeAll({ store }: Services, scope: Scope): Promise<void> {
  if (!(await hasUnplaced(store.dbFor('service'), scope))) return;
  while (await store.transaction((tx) => placeEvents(tx, scope))) await turn();
}

/** Who reads. What it reaches may be less with each event: a reader takes as long over one as it likes. */
export type Reader = Pick<Context, 'services' | 'scope' | 'signal'>;

/** Whether the reader may see an event by now. */
export function maySee({ scope }: Reader, { advertiserId }: Pick<Placed, 'advertiserId'>): boolean {
  return scope.advertiserIds === null || scope.advertiserIds.includes(advertiserId);
}

/** The events after a place, as they are stored: pages of what the reader reaches when each of them is read. */
export async function* storedAfter(reader: Reader, begin: Place): AsyncIterable<Placed> {
  const db = reader.services.store.dbFor('service');
  let after = begin;
  while (!reader.signal.aborted) {
    const rows = await listEventsAfter(db, reader.scope, { after, limit: EVENTS_AT_ONCE });
    for (const row of rows) {
      const placed = asPlaced(row);
      after = placed.at;
      yield placed;
    }
    if (rows.length < EVENTS_AT_ONCE) return;
  }
}

/** To its readers an event goes by its own id: the numbers it is ordered by count what happens to everybody. */
function asPlaced({ id, advertiser_id, event_type, payload, place, sequence }: AccountEventRow): Placed {
  return {
    at: { place: place ?? 0, sequence },
    advertiserId: advertiser_id,
    frame: { event: event_type, id, data: payload },
  };
}

/** One who follows, from joining to leaving. */
interface Follower {
  /** Resolves at the next event, or when there is no more to wait for. */
  next(): Promise<void>;
  leave(): void;
}

/**
 * The end of the stream of an account. Whoever follows it here waits for the one reader, which reads each event
 * once however many follow, and keeps the latest of them for those that are not quite there.
 */
class Tail {
  readonly #services: Services;
  readonly #account: Scope;
  readonly #over = new AbortController();
  readonly #waiting = new Set<() => void>();
  #followers = 0;
  #kept: Placed[] = [];
  #begin: Place;
  #failure: { readonly why: unknown } | undefined;

  constructor(services: Services, account: Scope, end: Place) {
    this.#services = services;
    this.#account = account;
    this.#begin = end;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  get end(): Place {
    return this.#kept.at(-1)?.at ?? this.#begin;
  }

  /** What follows a place; undefined where some of that is kept no more, or never was. */
  after(place: Place): readonly Placed[] | undefined {
    if (isAfter(this.#begin, place)) return undefined;
    return this.#kept.slice(this.#kept.findLastIndex(({ at }) => !isAfter(at, place)) + 1);
  }

  follow(stop: AbortSignal): Follower {
    let wake = () => {};
    const stopped = () => wake();
    stop.addEventListener('abort', stopped, { once: true });
    this.#followers += 1;
    return {
      next: () =>
        new Promise((resolve) => {
          if (stop.aborted || this.isOver) return resolve();
          wake = resolve;
          this.#waiting.add(resolve);
        }),
      leave: () => {
        stop.removeEventListener('abort', stopped);
        this.#waiting.delete(wake);
        this.#followers -= 1;
        if (this.#followers === 0) this.#over.abort();
      },
    };
  }

  /** Throws what ended the reader, if anything did. */
  requireWell(): void {
    if (this.#failure !== undefined) throw this.#failure.why;
  }

  /** Reads until nobody follows any more. */
  async read(): Promise<void> {
    const { ports, stopping } = this.#services;
    const news = ports.wake.listen(eventsTopic(this.#account));
    const end = () => this.#over.abort();
    stopping.addEventListener('abort', end, { once: true });
    try {
      while (!this.isOver && !stopping.aborted) {
        await this.#look();
        await news.next(LOOK_AGAIN_MS, this.#over.signal);
      }
    } catch (why) {
      this.#failure = { why };
    } finally {
      news.close();
      stopping.removeEventListener('abort', end);
      end();
      await this.#wake();
    }
  }

  async #look(): Promise<void> {
    await placeAll(this.#services, this.#account);
    const before = this.end;
    const reader = { services: this.#services, scope: this.#account, signal: this.#over.signal };
    for await (const placed of storedAfter(reader, before)) this.#keep(placed);
    if (isAfter(this.end, before)) await this.#wake();
  }

  #keep(placed: Placed): void {
    this.#kept.push(placed);
    if (this.#kept.length > EVENTS_AT_ONCE) this.#begin = this.#kept.shift()?.at ?? this.#begin;
  }

  async #wake(): Promise<void> {
    const all = [...this.#waiting];
    this.#waiting.clear();
    for (const [index, wake] of all.entries()) {
      if (index > 0 && index % WOKEN_AT_ONCE === 0) await turn();
      wake();
    }
  }
}

const tailsOf = ofProcess(() => new Map<string, Tail>());

/** The tail of an account; where nobody follows yet it begins at the end that is given. */
export function tailOf(services: Services, { organizationId, customerId }: Scope, end: Place): Tail {
  const own = tailsOf(services);
  // What one follower may not see another may: the account's events are read, and each takes its own.
  const account = makeScope({ organizationId, customerId });
  const topic = eventsTopic(account);
  const there = own.get(topic);
  if (there !== undefined && !there.isOver) return there;
  const tail = new Tail(services, account, end);
  own.set(topic, tail);
  const reading = tail.read().finally(() => {
    if (own.get(topic) === tail) own.delete(topic);
  });
  unawaited(reading, services.log, 'reading events');
  return tail;
}
