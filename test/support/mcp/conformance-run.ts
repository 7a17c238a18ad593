import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen, type RawServer } from '../sellers/seller-agent.ts';

const suite = new URL('../../../node_modules/@modelcontextprotocol/conformance/', import.meta.url);
const command = fileURLToPath(new URL('dist/index.js', suite));
const preload = new URL('./conformance-preload.mjs', import.meta.url).href;

/** One thing that a scenario looked at. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export interface ConformanceRun {
  /** 0 when no scored scenario fails. */
  readonly exitCode: number;
  readonly output: string;
  /** The checks of each scenario that was run. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
}

/** The scenarios that count for a revision: a server that fails one of them does not conform. */
export async function scoredScenarios(revision: string): Promise<string[]> {
  const requirements = await readFile(new URL(`requirements/${revision}.yaml`, suite), 'utf8');
  const list = requirements.split('\nserver:\n')[1]?.split('\n\n')[0] ?? '';
  return [...list.matchAll(/^ {2}- (\S+)$/gm)].map(([, scenario = '']) => scenario);
}

/** Runs the scenarios that a revision of the protocol requires against a server. */
export async function runConformance(url: string, revision: string): Promise<ConformanceRun> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-conformance-'));
  try {
    const { exitCode, output } = await run([
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '-o',
      folder,
    ]);
    return { exitCode, output, scenarios: await readChecks(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' }, maxBuffer: 64 * 1_048_576 };
    execFile(process.execPath, ['--import', preload, command, ...args], options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ exitCode, output: `${stdout}\n${stderr}` });
    });
  });
}

/** A folder a scenario: `server-<scenario>-<time>/checks.json`. */
async function readChecks(folder: string): Promise<Map<string, readonly Check[]>> {
  const scenarios = new Map<string, readonly Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name;
    scenarios.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')));
  }
  return scenarios;
}

/** Stands before a server and adds the credential: the command has no option for one. Host and Origin stay. */
export function credentialProxy(target: string, key: string): Promise<RawServer> {
  const { hostname, port } = new URL(target);
  return listen((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` };
    const upstream = request({ hostname, port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(res);
    });
    upstream.on('error', () => res.destroy());
    res.on('close', () => upstream.destroy());
    req.pipe(upstream);
  });
}
