import { stopAsking } from './ask.ts';

/** Where `fetch` finds whom it asks by: Node 24 and later look at the first of them, the others know the last alone. */
const DISPATCHERS = ['undici.globalDispatcher.2', 'undici.globalDispatcher.1'].map((name) =>
  Symbol.for(name),
);

interface Dispatcher {
  close(): Promise<void>;
}

/**
 * Closes the connections that `ask` and `fetch` keep for another request, each once its request is answered. A server
 * that stops would wait for somebody to use them, as it should. Not waited for: an answer that some earlier
 * test never read to its end is never over, and that is no reason to stay.
 */
export function hangUp(): void {
  stopAsking();
  const place = DISPATCHERS.find((name) => name in globalThis);
  if (place === undefined) return;
  const before: Dispatcher = Reflect.get(globalThis, place);
  const fresh = Reflect.construct(before.constructor, []);
  for (const name of DISPATCHERS) {
    if (Reflect.get(globalThis, name) === before) Reflect.set(globalThis, name, fresh);
  }
  void before.close();
}
