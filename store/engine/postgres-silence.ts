/** A connection of the driver, as far as it is looked at here. */
interface Watched {
  query(...given: never[]): unknown;
  on(event: 'end', listener: () => void): unknown;
  readonly connection: { readonly stream: { destroy(): unknown } };
}

/** Looks a limit: a statement is cut at the limit, or so much later. */
const LOOKS = 4;

/**
 * Ends a connection whose server has said nothing to a statement for too long: one that waits for somebody else's
 * lock, or one behind a network that drops what it is sent, of which the system tells only after a quarter of an
 * hour. Whoever waits for its answer hears that the connection is lost.
 */
export class SilenceWatch {
  readonly #limitMs: number;
  readonly #asked = new Map<Watched, number>();
  #isPatient = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Watches every statement of a connection from now on. */
  over(client: Watched): void {
    const query = client.query.bind(client);
    const watched = (...given: unknown[]): unknown => {
      this.#ask(client);
      const answer: unknown = Reflect.apply(query, client, given);
      const heard = () => void this.#asked.delete(client);
      if (answer instanceof Promise) answer.then(heard, heard);
      else heard();
      return answer;
    };
    Object.assign(client, { query: watched });
    client.on('end', () => this.#asked.delete(client));
  }

  /** Work whose statements take as long as they take. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    this.#isPatient = true;
    try {
      return await work();
    } finally {
      this.#isPatient = false;
    }
  }

  #ask(client: Watched): void {
    if (this.#isPatient) return;
    this.#asked.set(client, performance.now());
    this.#timer ??= this.#lookLater();
  }

  #lookLater(): NodeJS.Timeout {
    const every = this.#limitMs / LOOKS;
    const due = performance.now() + every;
    return setTimeout(() => {
      this.#timer = undefined;
      // Where this process was held up itself, the answers may lie unread: they are read before the next look.
      if (performance.now() - due < every) this.#cutOff();
      if (this.#asked.size > 0) this.#timer = this.#lookLater();
    }, every).unref();
  }

  #cutOff(): void {
    const before = performance.now() - this.#limitMs;
    for (const [client, since] of this.#asked) {
      if (since > before) continue;
      this.#asked.delete(client);
      client.connection.stream.destroy();
    }
  }
}
