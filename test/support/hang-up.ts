const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  close(): Promise<void>;
}

/**
 * Closes the connections that `fetch` keeps for another request, each once its request is answered. A server
 * that stops would wait for somebody to use them, as it should.
 */
export async function hangUp(): Promise<void> {
  const before: Dispatcher | undefined = Reflect.get(globalThis, DISPATCHER);
  if (before === undefined) return;
  Reflect.set(globalThis, DISPATCHER, Reflect.construct(before.constructor, []));
  await before.close();
}
