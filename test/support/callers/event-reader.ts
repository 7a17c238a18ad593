import type { TestServer } from '../server/server.ts';
import { headersOf } from './browsers.ts';
import type { Person } from './people.ts';

/** A server-sent event as it stood on the wire. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape.
  readonly payload: any;
}

export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; undefined once the stream has ended. Comments are passed over. */
  next(): Promise<ServerEvent | undefined>;
  /** Everything up to the end of the stream. */
  rest(): Promise<ServerEvent[]>;
  close(): void;
}

export interface ReadOptions {
  readonly since?: number;
  readonly lastEventId?: string;
  /** Of the page that reads. */
  readonly origin?: string | undefined;
}

/** Opens the event stream of a discovery session over HTTP. */
export function readEvents(
  server: TestServer,
  person: Pick<Person, 'key'>,
  { discoveryId, since, ...options }: ReadOptions & { discoveryId: string },
): Promise<EventReader> {
  const query = since === undefined ? '' : `?sinceRevision=${since}`;
  return readStream(server, person, { ...options, path: `/buyer/discovery/${discoveryId}/events${query}` });
}

/** Opens any event stream over HTTP. */
export async function readStream(
  server: Pick<TestServer, 'url'>,
  { key }: Pick<Person, 'key'>,
  { path, lastEventId, origin }: Omit<ReadOptions, 'since'> & { path: string },
): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(`${server.url}/api/v2${path}`, {
    signal: abort.signal,
    headers: {
      ...headersOf(key),
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...(origin === undefined ? {} : { origin }),
    },
  });
  const events = eventsIn(response);
  const next = async () => (await events.next()).value ?? undefined;
  return {
    status: response.status,
    headers: response.headers,
    next,
    rest: async () => {
      const all: ServerEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) all.push(event);
      return all;
    },
    close: () => abort.abort(),
  };
}

async function* eventsIn({ body }: Response): AsyncGenerator<ServerEvent, undefined> {
  if (body === null) return undefined;
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) yield event;
    }
  }
  return undefined;
}

function readBlock(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    if (name === '') continue;
    if (fields.has(name)) throw new Error(`An event has the field ${name} twice.`);
    fields.set(name, value);
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { event: fields.get('event') ?? '', id: fields.get('id') ?? '', data, payload: JSON.parse(data) };
}
