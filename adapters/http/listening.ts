import { once } from 'node:events';
import type { Server } from 'node:net';

/** Has a server listen, and gives the port it got: that of port 0 is chosen by the system. */
export async function listeningAt(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
