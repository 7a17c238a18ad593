/**
 * Sellers on sockets of their own: `npx tsx bench/sellers.ts <hanging>` starts one that answers at once and so many
 * that take a connection and never answer, and prints their addresses.
 */
import { adcpProduct, listen, startSellerAgent } from '../test/support/sellers/seller-agent.ts';

const honest = await startSellerAgent([adcpProduct('honest-1')]);
const hanging: string[] = [];
for (let index = 0; index < Number(process.argv[2] ?? 0); index += 1) {
  const { url } = await listen(() => {});
  hanging.push(`${url}/mcp`);
}
process.stdout.write(`${JSON.stringify({ honest: honest.url, hanging })}\n`);
