import { join } from 'node:path';
import { addCampaigns } from './copies.ts';
import { measureExecute, payFor } from './executing.ts';
import { measure, type Shot } from './load.ts';
import { openMarket } from './market.ts';
import { type PinnedServer, startPinned } from './pinned.ts';
import { median, say, verdict } from './report.ts';
import { campaignBody, type Seed } from './seed.ts';
import { startFlags } from './start-flags.ts';

export const title = 'an account with many campaigns';

/**
 * Multiples of how many names wait for their index at the most: otherwise more of them would wait in one of the two.
 */
const [FEW, MANY] = [10_240, 1_000_192];
const PROMISED = 1.15;
const READY_PROMISED_MS = 1_500;
const ROUNDS = 5;
const SECONDS = 2;
const STARTS = 3;

/** The same work in an account of 10,000 campaigns and in one of 1,000,000, round by round, by processor time. */
export async function run(seed: Seed, folder: string): Promise<void> {
  const [fewFile = '', manyFile = ''] = [FEW, MANY].map((count) => join(folder, `campaigns-${count}.db`));
  const storefrontId = await fill(seed, fewFile, FEW);
  await fill(seed, manyFile, MANY);
  await measureStarts(seed, manyFile);
  const few = await serve(seed, fewFile);
  const many = await serve(seed, manyFile);
  try {
    for (const [name, shot] of worksOf(seed)) {
      await compare(name, async (server) => (await measure(shot(server), SECONDS)).cpuMicros, { few, many });
    }
    await compare('execute', (server) => measureExecute(server, seed, storefrontId), { few, many });
  } finally {
    await few.stop();
    await many.stop();
  }
  say('');
}

/** A market with one product to buy and so many campaigns beside; gives the storefront's id. */
async function fill(seed: Seed, file: string, count: number): Promise<string> {
  const [storefrontId = ''] = await openMarket(seed, file, [{ name: 'Paper', urls: [] }]);
  await payFor(file);
  addCampaigns(file, seed.campaignId, count);
  return storefrontId;
}

function serve(seed: Seed, file: string): Promise<PinnedServer> {
  return startPinned(
    () => [...startFlags, 'dist/bundle/main.js'],
    (port) => ({ ...seed.settings, DATABASE_URL: `file:${file}`, PORT: String(port) }),
  );
}

async function measureStarts(seed: Seed, file: string): Promise<void> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const server = await serve(seed, file);
    times.push(server.readyMs);
    await server.stop();
  }
  const ready = median(times);
  say(
    `  start to ready, ${MANY} campaigns: ${ready.toFixed(0)} ms, promised ${READY_PROMISED_MS}: ${verdict(ready <= READY_PROMISED_MS)}`,
  );
}

type Work = readonly [name: string, shot: (server: PinnedServer) => Shot];

function worksOf(seed: Seed): readonly Work[] {
  const headers = { authorization: `Bearer ${seed.key}` };
  const get =
    (path: string) =>
    ({ pid, url }: PinnedServer): Shot => ({ pid, url: `${url}/api/v2/buyer${path}`, headers });
  return [
    ['get', get(`/campaigns/${seed.campaignId}`)],
    ['list', get('/campaigns?take=20')],
    ['list by name', get('/campaigns?take=20&name=Winter')],
    [
      'create',
      ({ pid, url }) => ({
        pid,
        url: `${url}/api/v2/buyer/campaigns`,
        headers,
        method: 'POST',
        body: campaignBody(seed.advertiserId),
      }),
    ],
  ];
}

interface Accounts {
  readonly few: PinnedServer;
  readonly many: PinnedServer;
}

/** `micros` gives what one such work takes of the processor. */
async function compare(
  name: string,
  micros: (server: PinnedServer) => Promise<number>,
  { few, many }: Accounts,
): Promise<void> {
  await micros(few);
  await micros(many);
  const ratios: number[] = [];
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await micros(few);
    const after = await micros(many);
    ratios.push(after / before);
    taken.push(after);
  }
  const ratio = median(ratios);
  say(
    `  ${name} among ${MANY}: ${median(taken).toFixed(0)} µs of the processor, ${ratio.toFixed(2)} times that among ${FEW}, promised ${PROMISED}: ${verdict(ratio <= PROMISED)}`,
  );
}
