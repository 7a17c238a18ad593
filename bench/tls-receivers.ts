/**
 * Receivers of webhooks over TLS: `npx tsx bench/tls-receivers.ts` prints where the live ones and the dead ones are,
 * where what arrived is counted, and the file of the authority to trust. A dead one takes the connection and never
 * says a word.
 */
import { createServer as createPlain } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import { json } from 'node:stream/consumers';
import { newAuthority } from '../test/support/server/receiver.ts';

/** Milliseconds from an event to its arrival. */
let waited: number[] = [];
const authority = await newAuthority();
const live = createServer({ key: authority.key, cert: authority.certificate }, async (req, res) => {
  const { timestamp } = (await json(req)) as { timestamp: string };
  waited.push(Date.now() - Date.parse(timestamp));
  res.writeHead(204).end();
});
/** Tells what arrived since it was asked last. */
const counts = createPlain((_req, res) => {
  res.end(JSON.stringify(waited));
  waited = [];
});
const [livePort, deadPort, countsPort] = [
  await portOf(live),
  await portOf(createTcp((socket) => void socket.on('error', () => {}).resume())),
  await portOf(counts),
];
process.stdout.write(
  `${JSON.stringify({
    live: `https://127.0.0.1:${livePort}`,
    dead: `https://127.0.0.1:${deadPort}`,
    counts: `http://127.0.0.1:${countsPort}`,
    ca: authority.file,
  })}\n`,
);

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
