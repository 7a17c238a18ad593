/**
 * Sellers on sockets of their own that take their time: `npx tsx bench/slow-sellers.ts <how many> <ms>` prints the
 * address of each.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { adcpProduct, startSellerAgent } from '../test/support/seller-agent.ts';

const [count = '0', delayMs = '0'] = process.argv.slice(2);
const urls: string[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const products = [adcpProduct(`slow-${index}`)];
  const seller = await startSellerAgent(products);
  seller.on('get_products', async () => {
    await pause(Number(delayMs));
    return { products };
  });
  urls.push(seller.url);
}
process.stdout.write(`${JSON.stringify(urls)}\n`);
