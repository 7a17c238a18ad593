import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onCore } from './pinned.ts';

/** Enough that the server never waits for the load: with few, both wait for each other and ratios shrink. */
const CONNECTIONS = 100;
const SECONDS_MAX = 20;
/** Beyond any round: who is only slow has not failed. */
const TIMEOUT_SECONDS = 60;

export interface Shot {
  /** The process that answers: the time of the processor that it takes is measured. */
  readonly pid: number;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** True: `[<id>]` in its headers is another text with each request. */
  readonly varies?: true;
  /** In place of a body: the fields of a form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** What a burst of load came to. */
export interface Measured {
  /** Requests that were answered in a second. */
  readonly perSecond: number;
  /** Microseconds of the processor, in the program and in the system, that the server spent on a request. */
  readonly cpuMicros: number;
  /** Milliseconds of the processor in all. */
  readonly cpuMs: number;
}

/** Loads the address for so long; each answer must be a success. */
export async function measure(shot: Shot, seconds: number): Promise<Measured> {
  const { url, method = 'GET' } = shot;
  const { type, ...sent } = contentOf(shot);
  const headers = { ...shot.headers, ...(type === undefined ? {} : { 'content-type': type }) };
  const options = {
    url,
    method,
    headers,
    ...sent,
    idReplacement: shot.varies ?? false,
    connections: CONNECTIONS,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
  };
  const [command, args] = onCore('load', [
    '--import',
    'tsx',
    'bench/load-worker.mjs',
    JSON.stringify(options),
    `${shot.pid}`,
  ]);
  const report = JSON.parse(await output(command, args)) as Report;
  const failed = report.non2xx + report.errors + report.timeouts;
  if (failed > 0) throw new Error(`${failed} of the requests to ${url} failed.`);
  const answered = report['2xx'];
  if (answered === 0) return measureLonger(shot, seconds);
  return {
    perSecond: answered / report.duration,
    cpuMicros: (report.cpuMs * 1_000) / answered,
    cpuMs: report.cpuMs,
  };
}

function contentOf({ body, form }: Shot): { readonly body?: string; readonly type?: string } {
  if (form !== undefined) {
    return { body: `${new URLSearchParams(form)}`, type: 'application/x-www-form-urlencoded' };
  }
  return body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' };
}

/** A slow peer on a busy machine may not come to its first answer in a round. */
function measureLonger(shot: Shot, seconds: number): Promise<Measured> {
  if (seconds > SECONDS_MAX) throw new Error(`${shot.url} did not answer in ${seconds} s.`);
  return measure(shot, 2 * seconds);
}

interface Report {
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly duration: number;
  /** Milliseconds of the processor that the server spent meanwhile. */
  readonly cpuMs: number;
}

async function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}
