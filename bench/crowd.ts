import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './child.ts';
import { amongSellers, openMarket, type Stall } from './market.ts';
import { type PinnedServer, startPinned } from './pinned.ts';
import { median, say, verdict } from './report.ts';
import type { Seed } from './seed.ts';
import { startFlags } from './start-flags.ts';

export const title = 'time to first products';

const HANGING = 200;
const ROUNDS = 20;
/** Nobody is waited for longer. */
const PATIENCE_MS = 5_000;
/** What a server does before it is measured, of the honest seller beside the others alone. */
const WARM_UPS = 10;
const SHARE_PROMISED = 1.2;
const MORE_PROMISED_MS = 100;
/** How many organizations the hanging sellers belong to. More of them than lanes of a session is the hard case. */
const OWNERS = [2, 40, 200];

/**
 * How long a buyer waits for the products of an honest seller among sellers that hang, beside the same market
 * without them. Each round is a process of its own, which has asked none of those that hang before; the honest one
 * stands last in the market, and was asked before or was not. A second session follows while the first collects.
 */
export async function run(seed: Seed, folder: string): Promise<void> {
  const sellers = await startChild(['--import', 'tsx', 'bench/sellers.ts', String(HANGING)]);
  try {
    const { honest, hanging } = JSON.parse(sellers.said) as { honest: string; hanging: string[] };
    const markets = [0, ...OWNERS].map((owners) => ({
      owners,
      file: join(folder, `market-${owners}.db`),
      stalls: [
        { name: 'Warm', urls: [honest] },
        ...Array.from({ length: owners }, (_, owner) => ({
          name: `Hanging ${owner}`,
          urls: hanging.filter((_url, index) => index % owners === owner),
        })),
        { name: 'Honest', urls: [honest] },
      ],
    }));
    await compare(await inTurn(seed, folder, markets));
  } finally {
    await sellers.stop();
  }
}

interface Market {
  readonly owners: number;
  readonly file: string;
  readonly stalls: readonly Stall[];
}

interface Waited {
  readonly owners: number;
  /** Milliseconds, a round each. */
  readonly known: number[];
  readonly unknown: number[];
  readonly again: number[];
}

const situations = {
  known: 'An honest seller that was asked before, in the first session of its buyer',
  unknown: 'An honest seller that nobody asked before',
  again: 'The same in the session that follows',
} as const;

/** All markets round by round, so that whatever else the machine does meets each. */
async function inTurn(seed: Seed, folder: string, markets: readonly Market[]): Promise<Waited[]> {
  const waited = markets.map(({ owners }): Waited => ({ owners, known: [], unknown: [], again: [] }));
  const ids: string[][] = [];
  for (const { file, stalls } of markets) ids.push(await openMarket(seed, file, stalls));
  const begin = (index: number) => startRound(seed, join(folder, 'round.db'), markets[index]?.file ?? '');
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { known, unknown, again }] of waited.entries()) {
      const { 0: other = '', length, [length - 1]: honest = '' } = ids[index] ?? [];
      await within(begin(index), async (server) => {
        await warmUp(server, seed, honest);
        known.push(await waitForProducts(server, seed));
      });
      await within(begin(index), async (server) => {
        await warmUp(server, seed, other);
        unknown.push(await waitForProducts(server, seed));
        again.push(await waitForProducts(server, seed));
      });
    }
  }
  return waited;
}

async function within(starting: Promise<PinnedServer>, work: (server: PinnedServer) => Promise<void>) {
  const server = await starting;
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

function startRound(seed: Seed, file: string, from: string): Promise<PinnedServer> {
  copyFileSync(from, file);
  return startPinned(
    () => [...startFlags, 'dist/bundle/main.js'],
    (port) => ({
      ...seed.settings,
      ...amongSellers,
      DATABASE_URL: `file:${file}`,
      PORT: String(port),
      SHUTDOWN_GRACE_MS: '100',
    }),
  );
}

async function warmUp(server: PinnedServer, seed: Seed, storefrontId: string): Promise<void> {
  for (let count = 0; count < WARM_UPS; count += 1) {
    await waitForProducts(server, seed, { storefrontId });
  }
}

/** Milliseconds from the question to the first frame with a product of the storefront that stands last. */
async function waitForProducts(
  { url }: PinnedServer,
  seed: Seed,
  only?: { storefrontId: string },
): Promise<number> {
  const from = only === undefined ? 'Honest' : undefined;
  const narrowed = only === undefined ? {} : { storefrontIds: [only.storefrontId] };
  const began = performance.now();
  const headers = { authorization: `Bearer ${seed.key}`, 'content-type': 'application/json' };
  const asked = await fetch(`${url}/api/v2/buyer/discovery/discover-products`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ advertiserId: seed.advertiserId, waitSeconds: 0, ...narrowed }),
  });
  const { data } = (await asked.json()) as { data: { discoveryId: string } };
  const stream = await fetch(`${url}/api/v2/buyer/discovery/${data.discoveryId}/events`, {
    headers: { authorization: headers.authorization },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const landed = await sees(stream, from).catch(() => false);
  return landed ? performance.now() - began : PATIENCE_MS;
}

/** Reads a stream of events until it shows a product of this storefront, or of any, and no further. */
async function sees(stream: Response, from: string | undefined): Promise<boolean> {
  let text = '';
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = `${text}${chunk}`.split('\n\n');
    text = frames.pop() ?? '';
    if (frames.some((frame) => sellersIn(frame).some((name) => name === (from ?? name)))) return true;
  }
  return false;
}

/** The storefronts of the products in an event. */
function sellersIn(frame: string): string[] {
  const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
  if (data === undefined) return [];
  const { productGroups = [] } = JSON.parse(data) as {
    productGroups?: { products: { storefrontName: string }[] }[];
  };
  return productGroups.flatMap(({ products }) => products.map(({ storefrontName }) => storefrontName));
}

function compare([alone, ...beside]: readonly Waited[]): void {
  if (alone === undefined) return;
  for (const which of ['known', 'unknown', 'again'] as const) {
    const without = median(alone[which]);
    const most = Math.max(without * SHARE_PROMISED, without + MORE_PROMISED_MS);
    say(`${situations[which]}: ${shown(alone[which])} without hanging sellers`);
    for (const { owners, [which]: times } of beside) {
      const kept = verdict(median(times) <= most);
      say(
        `  beside ${HANGING} of ${owners} organizations: ${shown(times)}, promised ${most.toFixed(0)}: ${kept}`,
      );
    }
  }
  say('');
}

function shown(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
}
