import type { Client, Dispatcher } from 'undici';
import { connectionFailed } from './requests.ts';

type Opener = (origin: string) => Client;

/**
 * Connections to sellers: one request at a time over each, kept for the next. A pool of the library's for each
 * origin takes half as much again to be made, and a session with sellers that nobody asked before makes hundreds.
 */
export class Connections {
  readonly #open: Opener;
  /** By origin. */
  readonly #clients = new Map<string, Client[]>();
  #isOver = false;

  constructor(open: Opener) {
    this.#open = open;
  }

  dispatch(
    { origin, ...request }: Dispatcher.DispatchOptions & { readonly origin: string },
    handler: Dispatcher.DispatchHandler,
  ): void {
    if (this.#isOver) throw connectionFailed(new Error('Nobody is called any more.'));
    const free = this.#clients.get(origin)?.find(({ stats }) => stats.size === 0);
    (free ?? this.#add(origin)).dispatch(request, handler);
  }

  #add(origin: string): Client {
    const client = this.#open(origin);
    // Not before the library is done with what it tells here.
    const gone = () => void setImmediate(() => this.#forget(origin, client));
    client.on('disconnect', gone).on('connectionError', gone);
    this.#clients.set(origin, [...(this.#clients.get(origin) ?? []), client]);
    return client;
  }

  /** Unless it is wanted again meanwhile. */
  #forget(origin: string, client: Client): void {
    if (client.stats.size > 0 || client.stats.connected) return;
    const others = this.#clients.get(origin)?.filter((one) => one !== client) ?? [];
    if (others.length === 0) this.#clients.delete(origin);
    else this.#clients.set(origin, others);
    client.close().catch(() => {});
  }

  async destroy(): Promise<void> {
    this.#isOver = true;
    const clients = [...this.#clients.values()].flat();
    this.#clients.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }
}
