import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections are to be looked at this often, all in one go: none of them has a timer of its own. */
export const LOOK_EVERY_MS = 1_000;

export interface ConnectionLimits {
  /** Milliseconds within which a reader has to take its least of what lies ready for it. */
  readonly readerTimeoutMs: number;
  /** That least, in bytes for each second of them. */
  readonly readerBytesPerSecond: number;
  /** Requests of one connection that are answered at a time. */
  readonly pipelinedMax: number;
  /** Milliseconds that a connection is kept on which nothing comes and no answer is due. */
  readonly keepAliveMs: number;
}

/** What one connection still has to get. */
class Connection {
  readonly socket: Socket;
  /** Its answers in the order of their requests, without those that are over. */
  #answers: ServerResponse[] = [];
  /** Since when its reader has not taken enough, while something lies ready for it. */
  #behind: Behind | undefined;
  /** The answer that was told to end the connection. */
  #ending: ServerResponse | undefined;
  /** What had come when it was last busy, and how often it was looked at since. */
  #idle = { read: 0, looks: 0 };

  /** One function for all answers of the connection. */
  readonly #forget: (this: ServerResponse) => void;

  constructor(socket: Socket) {
    this.socket = socket;
    const over = (res: ServerResponse) => this.#over(res);
    this.#forget = function forget() {
      over(this);
    };
  }

  /** Notes an answer that is due. How many are. */
  add(res: ServerResponse): number {
    if (this.#answers.length > 0) this.#answers = this.#answers.filter(isDue);
    res.on('close', this.#forget);
    return this.#answers.push(res);
  }

  /**
   * Lets go of an answer as soon as it is over: held until the next request, it and all that hangs on it would
   * outlive the young generation, and collecting that costs more than the rest of this. One whose request is not
   * whole is held, for who asks whether it came early.
   */
  #over(res: ServerResponse): void {
    if (res.req.complete) this.#answers = this.#answers.filter((one) => one !== res);
  }

  /** The last answer, if it is still due. */
  get last(): ServerResponse | undefined {
    return this.#answers.filter(isDue).at(-1);
  }

  /** The last answer that is still due to a request that came whole: one that did not will never be read. */
  get lastToWhole(): ServerResponse | undefined {
    return this.#answers.filter((res) => isDue(res) && res.req.complete).at(-1);
  }

  /** Whether its newest request was answered before all of it had come. */
  get isAnsweredEarly(): boolean {
    const newest = this.#answers.at(-1);
    return newest?.headersSent === true && !newest.req.complete;
  }

  /**
   * Has the newest answer that is due say that it is the last. None before it may: it would take those behind it
   * with it.
   */
  endAfterLast(): void {
    const { last } = this;
    if (last === undefined || last.headersSent || last === this.#ending) return;
    if (this.#ending?.headersSent === false) this.#ending.removeHeader('Connection');
    last.setHeader('Connection', 'close');
    this.#ending = last;
  }

  look(least: Least, idleLooks: number): void {
    this.#lookAtReader(least);
    this.#lookAtIdle(idleLooks);
  }

  /** Closes a connection on which nothing was asked for too long. */
  #lookAtIdle(most: number): void {
    const read = this.socket.bytesRead;
    if (read !== this.#idle.read || this.last !== undefined) this.#idle = { read, looks: 0 };
    else if (this.#idle.looks + 1 >= most) this.socket.destroy();
    else this.#idle.looks += 1;
  }

  /**
   * Cuts a reader that takes too little of what lies ready for it: one that takes a byte now and then holds as much
   * as one that takes nothing. Whoever took enough has all of the time again.
   */
  #lookAtReader({ looks, bytes }: Least): void {
    if (this.socket.writableLength === 0) {
      this.#behind = undefined;
      return;
    }
    const taken = takenOf(this.socket);
    if (this.#behind === undefined || taken - this.#behind.taken >= bytes) this.#behind = { taken, looks: 0 };
    else if (this.#behind.looks + 1 >= looks) this.socket.destroy();
    else this.#behind.looks += 1;
  }

  /**
   * Ends the answers that wait behind another one: they were never given the socket, so Node does not tell them
   * that it is gone, and whatever they hold would be held for ever.
   */
  end(): void {
    for (const res of this.#answers) {
      if (res.closed || res.writableFinished) continue;
      res.destroy();
      res.emit('close');
    }
    this.#answers = [];
  }
}

/** What had been taken when a reader was last in time, and how often it was looked at since. */
interface Behind {
  readonly taken: number;
  looks: number;
}

/** What a reader has to take within so many looks. */
interface Least {
  readonly looks: number;
  readonly bytes: number;
}

/**
 * Bytes of a connection that the system has taken to send. Node tells in public of whole writes alone, and an answer
 * of megabytes is one: what is left of it is asked of what Node writes to, as its own timer of connections does.
 */
function takenOf(socket: Socket): number {
  const { bytesWritten, writeQueueSize }: Handle = Object(Reflect.get(socket, '_handle'));
  if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number') {
    return bytesWritten - writeQueueSize;
  }
  return socket.bytesWritten - socket.writableLength;
}

interface Handle {
  readonly bytesWritten?: unknown;
  readonly writeQueueSize?: unknown;
}

function isDue(res: ServerResponse): boolean {
  return !res.writableFinished && !res.destroyed;
}

export interface Connections {
  /** Notes a request. False: its connection asks for more at a time than it may, and gets no answer to this. */
  admit(req: IncomingMessage, res: ServerResponse): boolean;
  /** The last answer that a connection waits for to what came whole, and whether it had one before that. */
  stateOf(socket: Socket): {
    readonly lastToWhole: ServerResponse | undefined;
    readonly isAnsweredEarly: boolean;
  };
  /**
   * Looks at them all, once in `LOOK_EVERY_MS`: cuts those that take too little of their answers, and closes those on
   * which nothing goes on. A timer of Node's own for each would be set and cleared with every request.
   */
  look(): void;
  /** From now on each connection ends with its newest answer, which says so: those under way too. */
  endAfterLast(): void;
}

/**
 * Watches the connections of a server: answers that are taken too slowly, those left over when one is closed, and
 * connections on which nothing goes on.
 */
export function watchConnections(server: Server, limits: ConnectionLimits): Connections {
  const connections = new Map<Socket, Connection>();
  let isEnding = false;
  server.on('connection', (socket: Socket) => {
    const connection = new Connection(socket);
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      connection.end();
    });
  });
  const least = {
    looks: Math.ceil(limits.readerTimeoutMs / LOOK_EVERY_MS),
    bytes: Math.ceil((limits.readerTimeoutMs / 1_000) * limits.readerBytesPerSecond),
  };
  // A look later than is told, so that whoever goes by what is told does not come too late.
  const idleLooks = Math.ceil(limits.keepAliveMs / LOOK_EVERY_MS) + 1;
  return {
    admit: (req, res) => {
      const connection = connections.get(req.socket);
      const due = connection?.add(res) ?? 0;
      if (isEnding) connection?.endAfterLast();
      if (due <= limits.pipelinedMax) return true;
      // Its answer would have to wait for all the others: what is not asked for is cheaper to both.
      req.socket.destroy();
      return false;
    },
    stateOf: (socket) => {
      const connection = connections.get(socket);
      return {
        lastToWhole: connection?.lastToWhole,
        isAnsweredEarly: connection?.isAnsweredEarly ?? false,
      };
    },
    look: () => {
      for (const connection of connections.values()) connection.look(least, idleLooks);
    },
    endAfterLast: () => {
      isEnding = true;
      for (const connection of connections.values()) connection.endAfterLast();
    },
  };
}
