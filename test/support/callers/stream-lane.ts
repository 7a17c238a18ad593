import { restPaths } from '../../../tools/core/addresses.ts';
import type { Stream } from '../../../tools/core/streams.ts';
import { headersOf } from './browsers.ts';
import { inWords } from './tool-lanes.ts';

export interface StreamCall {
  readonly url: string;
  readonly key: string;
  readonly stream: Stream;
  readonly args: Readonly<Record<string, unknown>>;
  readonly lastEventId?: string | undefined;
}

export interface StreamOutcome {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that came. */
  readonly text: string;
}

/**
 * Opens a stream and reads what it has: to its end, or, of one that goes on for ever, until the service has answered
 * another call since the last of it came.
 */
export async function overStream({
  url,
  key,
  stream,
  args,
  lastEventId,
}: StreamCall): Promise<StreamOutcome> {
  const abort = new AbortController();
  const response = await fetch(addressOf(url, stream, args), {
    signal: abort.signal,
    redirect: 'manual',
    headers: {
      ...headersOf(key),
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  const chunks: string[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const isOver = async () => {
    const more = await reader?.read();
    if (more?.value !== undefined) chunks.push(more.value);
    return more?.done ?? true;
  };
  const isQuiet = async () => {
    await (await fetch(`${url}/health`)).text();
    return true;
  };
  // A refusal has an end.
  const ends = response.status === 200 ? [isQuiet] : [];
  while (!(await Promise.race([isOver(), ...ends.map((end) => end())])));
  abort.abort();
  return { status: response.status, headers: response.headers, text: chunks.join('') };
}

function addressOf(url: string, stream: Stream, args: StreamCall['args']): string {
  const [template = ''] = restPaths(stream.surface, stream);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inWords(args[name])));
  const others = Object.entries(args).filter(([name]) => !template.includes(`{${name}}`));
  const query = new URLSearchParams(
    Object.fromEntries(others.map(([name, value]) => [name, inWords(value)])),
  );
  return `${url}${path}?${query}`;
}

/** The data of each event that is whole, in their order. */
export function dataIn(text: string): unknown[] {
  return [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']) => JSON.parse(data));
}
