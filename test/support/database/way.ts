import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the database that can be cut. */
export interface Way {
  readonly url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** From now on nothing comes through, and no connection is told: as behind a network that drops it all. */
  silence(): void;
  /** Whatever comes from now on comes through. What stood open during the silence stays as it is. */
  unsilence(): void;
  close(): Promise<void>;
}

export async function wayTo(databaseUrl: string): Promise<Way> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const open = (port: number) =>
    new Promise<Server>((resolve) => {
      const relay = createServer((near) => {
        const far = connect(Number(target.port || 5432), target.hostname);
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(one);
          one.on('error', () => other.destroy());
          one.on('close', () => other.destroy());
          one.on('data', (bytes) => {
            if (!isSilent) other.write(bytes);
          });
        }
      });
      relay.listen(port, '127.0.0.1', () => resolve(relay));
    });
  let relay = await open(0);
  const address = relay.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const cut = () =>
    new Promise<void>((resolve) => {
      relay.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    });
  return {
    url: url.href,
    cut,
    mend: async () => {
      relay = await open(port);
    },
    silence: () => {
      isSilent = true;
    },
    unsilence: () => {
      isSilent = false;
    },
    close: cut,
  };
}
