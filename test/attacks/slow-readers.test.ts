import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type Connections, LOOK_EVERY_MS, watchConnections } from '../../adapters/process/connections.ts';
import { eventually } from '../support/run/eventually.ts';

const SECONDS = 10;
const LOOKS = (SECONDS * 1_000) / LOOK_EVERY_MS;
/** The system takes on for some megabytes before it asks for more: a reader is told from another by more than that. */
const LEAST_BYTES = 16_777_216;
const ANSWER = Buffer.alloc(8 * LEAST_BYTES, 'x');

interface Reader {
  /** The other end of its connection. */
  readonly theirs: Socket;
  /** Takes so many bytes of what has come. */
  take(bytes: number): Promise<void>;
}

/** Time is the looks that a test has done. */
describe('a caller that takes its answer slowly', () => {
  let server: Server;
  let connections: Connections;
  const open: Socket[] = [];
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function asking(pieces: readonly Buffer[]): Promise<Reader> {
    server = createServer(async (_req, res) => {
      for (const piece of pieces) if (!res.write(piece)) await once(res, 'drain');
      res.end();
    });
    const readerBytesPerSecond = LEAST_BYTES / SECONDS;
    connections = watchConnections(server, {
      readerTimeoutMs: SECONDS * 1_000,
      readerBytesPerSecond,
      pipelinedMax: 10,
      keepAliveMs: 3_600_000,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
    const [theirs] = (await once(server, 'connection')) as [Socket];
    open.push(socket);
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'readable');
    return { theirs, take: (bytes) => taking(socket, bytes) };
  }

  async function taking(socket: Socket, bytes: number): Promise<void> {
    for (let left = bytes; left > 0; ) {
      const part: Buffer | null = socket.read();
      left -= part?.length ?? 0;
      if (part === null) await once(socket, 'readable');
    }
  }

  const held = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  const pass = (looks: number) => {
    for (let count = 0; count < looks; count += 1) connections.look();
  };
  const inPieces = (bytes: number) =>
    Array.from({ length: ANSWER.length / bytes }, () => ANSWER.subarray(0, bytes));

  test.each([
    ['in one piece', [ANSWER]],
    ['in many, as streams of events are', inPieces(65_536)],
  ])(
    'is cut when it keeps below the least, however often it takes some, of an answer %s',
    async (_, pieces) => {
      const reader = await asking(pieces);

      pass(1);
      for (let drips = 0; drips < 4; drips += 1) {
        await reader.take(LEAST_BYTES / 8);
        expect(await held()).toBe(1);
        pass(LOOKS / 4);
      }

      await eventually(async () => expect(await held()).toBe(0));
    },
  );

  test.each([
    ['in one piece', [ANSWER]],
    ['in many', inPieces(65_536)],
  ])('is cut for nothing while it takes the least in time, of an answer %s', async (_, pieces) => {
    const reader = await asking(pieces);

    pass(1);
    for (let windows = 0; windows < 3; windows += 1) {
      await reader.take(2 * LEAST_BYTES);
      pass(LOOKS - 1);
    }

    expect(await held()).toBe(1);
    pass(LOOKS);
    await eventually(async () => expect(await held()).toBe(0));
  });

  test('has all of the time again once it has taken everything', async () => {
    const reader = await asking([ANSWER.subarray(0, LEAST_BYTES)]);

    pass(LOOKS - 1);
    await reader.take(LEAST_BYTES);
    await eventually(() => expect(reader.theirs.writableLength).toBe(0));
    pass(2 * LOOKS);

    expect(await held()).toBe(1);
  });
});
