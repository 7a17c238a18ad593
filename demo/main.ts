import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../adapters/process/logging.ts';
import { startServer } from '../adapters/process/server.ts';
import { readConfig } from '../adapters/settings/config.ts';
import { operatorFor } from '../tools/domain/organizations/operator.ts';
import { openMarket } from './marketplace.ts';
import { makeCertificate, startReceiver } from './receiver.ts';
import { startSellers } from './sellers.ts';
import { walk } from './walk.ts';

/** The demo: Rialto, sellers that this project did not write, and an assistant's whole job between them. */
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'rialto-demo-'));
const closing: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
const close = async () => {
  for (const step of closing.splice(0).reverse()) await step();
};
process.once('SIGINT', () => void close().then(() => process.exit(130)));

try {
  say('Starting three sellers of @adcp/sdk …');
  const certificate = await makeCertificate(folder);
  const receiver = await startReceiver(certificate);
  closing.push(() => receiver.stop());
  const started = await startSellers();
  closing.push(() => started.stop());
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: `file:${join(folder, 'demo.db')}`,
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
    LOG_LEVEL: 'error',
    SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
    SELLER_ALLOWED_ORGANIZATIONS: '*',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    OUTBOUND_CA_FILE: certificate.file,
  });
  const running = await startServer(config, { log: await createLog(config, 'lines') });
  closing.push(() => running.stop());
  const { url } = running;
  say(
    `Rialto is at ${url}. Registered as storefronts: ${started.sellers.map(({ name }) => name).join(', ')}, and ` +
      `${started.dead.name}, at whose address nobody answers.\n` +
      'Social Network, as its package has it, sells no products over get_products: it will be named as incomplete too.',
  );
  const operator = operatorFor(running.app.services, 'demo');
  const { buyerKey } = await openMarket({ url, operator }, started);
  await walk({ url, buyerKey, sellers: started.sellers, receiver, say });
  say('\nThat was the whole job. Nothing of it is left on this machine.');
} finally {
  await close();
}
