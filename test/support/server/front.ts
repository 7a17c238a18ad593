import { once } from 'node:events';
import type { App } from '../../../adapters/http/app.ts';
import { createFront, type Front } from '../../../adapters/process/front.ts';

export interface OpenFront extends Front {
  readonly url: string;
  /** How many connections it has. */
  connections(): Promise<number>;
}

/** The front of a service on a port of its own, for tests that look at its connections. */
export async function openFront(app: App): Promise<OpenFront> {
  const front = createFront(app);
  front.server.listen(0, '127.0.0.1');
  await once(front.server, 'listening');
  const address = front.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    ...front,
    url: `http://127.0.0.1:${port}`,
    connections: () =>
      new Promise((resolve, reject) => {
        front.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
  };
}
