import { Durations } from './counts.ts';
import { type Metric, numberOf, type Sample } from './exposition.ts';

const MCP = 'mcp ';
const MCP_OTHER = 'mcp other';
/** Where no route was found. */
const NO_ROUTE = 'none';
/** Histograms of one process, each some twenty lines long: beyond this many, what is new is counted together. */
const SERIES_MAX = 4_000;
const OTHER = 'other';
/** What has a status beyond these has none that we ever gave. */
const STATUS_MAX = 599;

type Row = Map<number, Durations>;

/**
 * Requests by route and status, with how long they took. Counting is two look-ups in a map and a few additions:
 * each request is counted, so nothing is made for the second of a kind.
 */
export class RequestCounts {
  /** By what was called, as it is logged; of words of MCP those that are known. */
  readonly #rows = new Map<string, Row>();
  readonly #words: ReadonlySet<string>;
  #series = 0;

  /** `words`: what may be called over MCP. Any other one is a word that somebody made up. */
  constructor(words: Iterable<string>) {
    this.#words = new Set([...words].map((word) => `${MCP}${word}`));
  }

  add(target: string, status: number, seconds: number): void {
    const durations = this.#rows.get(target)?.get(status) ?? this.#make(target, status);
    durations.add(seconds);
  }

  #make(target: string, status: number): Durations {
    const isFull = this.#series >= SERIES_MAX;
    const route = isFull ? OTHER : this.#routeOf(target);
    const row = this.#rows.get(route) ?? new Map<number, Durations>();
    this.#rows.set(route, row);
    const known = isFull || status > STATUS_MAX ? 0 : status;
    const present = row.get(known);
    if (present !== undefined) return present;
    const made = new Durations();
    row.set(known, made);
    this.#series += 1;
    return made;
  }

  #routeOf(target: string): string {
    if (!target.startsWith(MCP)) return target === '' ? NO_ROUTE : target;
    return this.#words.has(target) ? target : MCP_OTHER;
  }

  metrics(): Metric[] {
    const cells = [...this.#rows].flatMap(([route, row]) =>
      [...row].map(([status, taken]) => ({
        labels: { route, status: status === 0 ? OTHER : String(status) },
        buckets: taken.cumulative(),
        seconds: taken.seconds,
      })),
    );
    return [
      {
        name: 'rialto_http_requests_total',
        help: 'Requests that were answered, by route or MCP tool and status.',
        type: 'counter',
        samples: cells.map(({ labels, buckets }) => ({ labels, value: buckets.at(-1)?.count ?? 0 })),
      },
      {
        name: 'rialto_http_request_duration_seconds',
        help: 'Seconds until the answer was over, by route or MCP tool and status. Streams count as long as they were open.',
        type: 'histogram',
        samples: cells.flatMap(({ labels, ...taken }) => histogramOf(taken, labels)),
      },
    ];
  }
}

/** The lines of one histogram. */
export function histogramOf(
  { buckets, seconds }: { readonly buckets: ReturnType<Durations['cumulative']>; readonly seconds: number },
  labels: Readonly<Record<string, string>> = {},
): Sample[] {
  return [
    ...buckets.map(({ upTo, count }) => ({
      suffix: '_bucket' as const,
      labels: { ...labels, le: numberOf(upTo) },
      value: count,
    })),
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value: buckets.at(-1)?.count ?? 0 },
  ];
}
