import { randomUUID } from 'node:crypto';
import { type Ear, NEWS_CHANNEL, type News } from './news.ts';
import { newClient } from './postgres.ts';

type Client = Awaited<ReturnType<typeof newClient>>;

const AGAIN_MS = 1_000;
/** A connection that only listens never learns by itself that nothing comes through any more. */
const ASK_EVERY_MS = 5_000;
const PATIENCE_MS = 5_000;

/**
 * One connection of its own that listens, and is made anew when it breaks. It counts as up once it has heard
 * itself: behind a pooler that hands each transaction another connection it never does.
 */
export class PostgresNews implements News {
  readonly #url: string;
  readonly #ear: Ear;
  #client: Client | undefined;
  #hello: string | undefined;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #connecting: Promise<void>;
  /** What was asked last over the connection. */
  #last: Promise<unknown> = Promise.resolve();
  isUp = false;

  constructor(url: string, ear: Ear) {
    this.#url = url;
    this.#ear = ear;
    this.#connecting = this.#connect();
  }

  send(text: string): void {
    if (this.isUp) this.#notify(text);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#asking);
    await this.#connecting;
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = await newClient(this.#url, PATIENCE_MS);
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ payload = '' }) => this.#hear(payload));
    this.#client = client;
    this.#last = Promise.resolve();
    try {
      await client.connect();
      await this.#ask(client, `listen ${NEWS_CHANNEL}`);
      this.#hello = `hello ${randomUUID()}`;
      this.#notify(this.#hello);
      this.#askLater(client);
    } catch {
      this.#lose(client);
    }
  }

  #askLater(client: Client): void {
    this.#asking = setTimeout(() => {
      this.#ask(client, 'select 1').then(
        () => this.#askLater(client),
        () => {},
      );
    }, ASK_EVERY_MS);
    this.#asking.unref();
  }

  #notify(text: string): void {
    if (this.#client === undefined) return;
    this.#ask(this.#client, 'select pg_notify($1, $2)', [NEWS_CHANNEL, text]).catch(() => {});
  }

  /** One after the other: the library is to be given no query while it is at another. One that fails ends them all. */
  #ask(client: Client, query: string, values: string[] = []): Promise<unknown> {
    const asked = this.#last.then(() => client.query(query, values));
    this.#last = asked.catch(() => this.#lose(client));
    return asked;
  }

  #hear(text: string): void {
    if (text === this.#hello) this.#turn(true);
    else if (!text.startsWith('hello ')) this.#ear.heard(text);
  }

  #turn(isUp: boolean): void {
    if (this.isUp === isUp) return;
    this.isUp = isUp;
    this.#ear.turned();
  }

  #lose(client: Client): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    clearTimeout(this.#asking);
    client.connection.stream.destroy();
    this.#turn(false);
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#connecting = this.#connect();
    }, AGAIN_MS);
    this.#retry.unref();
  }
}
