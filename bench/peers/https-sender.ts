/**
 * What sends a body over bare `https.request`, a connection each as webhooks do:
 * `node bench/peers/https-sender.ts <url> <file of the authority> <how many> <at once> <body>` prints the
 * microseconds of the processor that each took.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const [url = '', caFile = '', count = '0', atOnce = '1', body = ''] = process.argv.slice(2);
const ca = readFileSync(caFile);
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

function send(): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', ca, agent: false, headers }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    })
      .on('error', reject)
      .end(body);
  });
}

async function sendAll(many: number): Promise<void> {
  let left = many;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, lane));
}

// Until its compiler has settled.
await sendAll(Number(count) / 2);
const before = process.cpuUsage();
await sendAll(Number(count));
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / Number(count)}\n`);
