import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/run/free-port.ts';

const SDK = new URL('.', import.meta.resolve('@adcp/sdk/package.json'));

/** The sellers' own credential, as the examples of the package document it. */
export const sellerToken = 'sk_harness_do_not_use_in_prod';

/** For whom the examples hold an account: the brand and the agency that buys for it. */
export const knownParty = { brand: 'acmeoutdoor.example', operator: 'pinnacle-agency.example' };

const EXAMPLES = [
  { name: 'Guaranteed Publisher', platform: 'sales-guaranteed', adapter: 'hello_seller_adapter_guaranteed' },
  {
    name: 'Open Exchange',
    platform: 'sales-non-guaranteed',
    adapter: 'hello_seller_adapter_non_guaranteed',
  },
  { name: 'Social Network', platform: 'sales-social', adapter: 'hello_seller_adapter_social' },
] as const;

export interface DemoSeller {
  readonly name: string;
  /** The MCP address of its sales agent. */
  readonly url: string;
}

export interface DemoSellers {
  readonly sellers: readonly DemoSeller[];
  /** An address at which nobody answers. */
  readonly dead: DemoSeller;
  stop(): Promise<void>;
}

/** Starts the three example sellers of `@adcp/sdk`: an ad platform each, and the AdCP agent in front of it. */
export async function startSellers(): Promise<DemoSellers> {
  const children: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(children.map(end));
  };
  try {
    const sellers = await Promise.all(EXAMPLES.map((example) => startSeller(example, children)));
    const dead = { name: 'Closed Kiosk', url: `http://127.0.0.1:${await freePort()}/mcp` };
    return { sellers, dead, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startSeller(
  { name, platform, adapter }: (typeof EXAMPLES)[number],
  children: ChildProcess[],
): Promise<DemoSeller> {
  const [upstream, port] = [await freePort(), await freePort()];
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NODE_ENV: 'development', ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    return says(child, name);
  };
  const command = fileURLToPath(new URL('bin/adcp.js', SDK));
  await start([command, 'mock-server', platform, '--port', String(upstream)]);
  const program = fileURLToPath(new URL(`examples/${adapter}.ts`, SDK));
  await start(['--import', 'tsx', program], {
    UPSTREAM_URL: `http://127.0.0.1:${upstream}`,
    PORT: String(port),
  });
  return { name, url: `http://127.0.0.1:${port}/mcp` };
}

/** Both programs say a line with their address once they listen; what follows is read and let go. */
async function says(child: ChildProcess, name: string): Promise<void> {
  if (child.stdout === null) return;
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${name} did not start.`);
  });
  const listening = (async () => {
    for await (const line of lines) if (line.includes('running at http')) return;
  })();
  await Promise.race([listening, ended]);
  ended.catch(() => {});
  child.stdout.resume();
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
}
