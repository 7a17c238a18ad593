import { stopAsking } from './ask.ts';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

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
  const before: Dispatcher | undefined = Reflect.get(globalThis, DISPATCHER);
  if (before === undefined) return;
  Reflect.set(globalThis, DISPATCHER, Reflect.construct(before.constructor, []));
  void before.close();
}
