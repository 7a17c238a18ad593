import { type EventReader, readStream, type ServerEvent } from './event-reader.ts';

export interface EventFollower {
  readonly events: readonly ServerEvent[];
  readonly ids: readonly string[];
  /** Resolves once the stream is open for the first time. */
  readonly opened: Promise<void>;
  end(): Promise<void>;
}

/**
 * Reads the events of an account on as a client does: where a stream ends, it is opened again after its last event,
 * wherever the service is by then. One that names no event to begin after, and has had none, may miss those of a gap.
 */
export function followAccount(url: () => Promise<string>, key: string, begin?: string): EventFollower {
  const events: ServerEvent[] = [];
  let reader: EventReader | undefined;
  let isEnough = false;
  let tellOpened = () => {};
  const opened = new Promise<void>((resolve) => {
    tellOpened = resolve;
  });
  const open = async () => {
    const last = events.at(-1)?.id ?? begin;
    const after = last === undefined ? {} : { lastEventId: last };
    reader = await readStream({ url: await url() }, { key }, { path: '/buyer/events', ...after });
    if (reader.status === 200) tellOpened();
    return reader.status === 200;
  };
  const read = async () => {
    const event = await reader?.next();
    if (event !== undefined) events.push(event);
    return event !== undefined;
  };
  const orNot = (work: () => Promise<boolean>) => work().catch(() => false);
  const untilItEnds = async () => {
    while (await orNot(read));
  };
  const goOn = async () => {
    while (!isEnough) if (await orNot(open)) await untilItEnds();
  };
  const all = goOn();
  return {
    events,
    get ids() {
      return events.map(({ id }) => id);
    },
    opened,
    end: async () => {
      isEnough = true;
      reader?.close();
      await all;
    },
  };
}

/** Everything that is kept of an account. */
export async function keptEvents(url: string, key: string): Promise<ServerEvent[]> {
  const reader = await readStream({ url }, { key }, { path: '/buyer/events?follow=false' });
  return reader.status === 204 ? [] : reader.rest();
}
