import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shot } from './load.ts';
import { type PinnedServer, startPinned } from './pinned.ts';
import { campaignBody, type Seed } from './seed.ts';
import { sessionCaseOf } from './session-case.ts';
import { startFlags } from './start-flags.ts';

/** One figure: what is measured, beside what, and what was promised of the two. */
export interface Case {
  readonly title: string;
  readonly peer: string;
  /** At least this many times the peer: it spends so many times our time of the processor on a request. */
  readonly promised: number;
  readonly ours: Shot;
  readonly theirs: Shot;
  /** Node alone with the same work, measured beside them: how many times the peer there is to be had at all. */
  readonly floor?: Shot;
}

export interface Field {
  readonly cases: readonly Case[];
  stop(): Promise<void>;
}

const SOURCE = ['--import', 'tsx'];
const REVISION = '2026-07-28';

/** Starts Rialto and its peers and says what to measure. */
export async function setUp(seed: Seed, folder: string): Promise<Field> {
  const servers: PinnedServer[] = [];
  const start = async (...given: Parameters<typeof startPinned>) => {
    const server = await startPinned(...given);
    servers.push(server);
    return server;
  };
  const peer = (name: string) =>
    start((port) => [...SOURCE, `bench/peers/${name}.ts`, copyOf(seed, folder, name), String(port)]);
  const rialto = (name: string, args: readonly string[]) => {
    const file = copyOf(seed, folder, name);
    return start(
      () => args,
      (port) => ({ ...seed.settings, DATABASE_URL: `file:${file}`, PORT: String(port) }),
    );
  };
  const own = await rialto('rialto', [...startFlags, 'dist/bundle/main.js']);
  // Every peer of MCP speaks nothing else, so the calls are measured in a process that has done nothing else either.
  const mcpAlone = await rialto('mcp-alone', [...startFlags, 'dist/bundle/main.js']);
  const ten = await rialto('ten', [...startFlags, ...SOURCE, 'bench/rialto-with.ts', '10']);
  const many = await rialto('many', [...startFlags, ...SOURCE, 'bench/rialto-with.ts', '300']);
  const express = await peer('express');
  const node = await peer('node');
  const lowLevel = await peer('official-low-level');
  const highLevel = await peer('official-mcp-server');
  const sessions = await peer('official-sessions');
  const recognition = await rialto('recognition', [
    ...SOURCE,
    'bench/recognition.ts',
    JSON.stringify(seed.token),
  ]);
  const tokenServer = await peer('token-server');
  const addresses = {
    recognition,
    tokenServer,
    own,
    mcpAlone,
    ten,
    many,
    express,
    node,
    lowLevel,
    highLevel,
  };
  return {
    cases: [
      ...casesOf(seed, addresses),
      await sessionCaseOf(seed, own, sessions),
      ...tokenCasesOf(seed, addresses),
    ],
    stop: async () => {
      for (const server of servers) await server.stop();
    },
  };
}

/** Each server has the seed to itself. */
function copyOf(seed: Seed, folder: string, name: string): string {
  const file = join(folder, `${name}.db`);
  copyFileSync(seed.file, file);
  return file;
}

type Addresses = Readonly<
  Record<
    | 'recognition'
    | 'tokenServer'
    | 'own'
    | 'mcpAlone'
    | 'ten'
    | 'many'
    | 'express'
    | 'node'
    | 'lowLevel'
    | 'highLevel',
    PinnedServer
  >
>;

function casesOf(
  seed: Seed,
  { own, mcpAlone, ten, many, express, node, lowLevel, highLevel }: Addresses,
): Case[] {
  const headers = { authorization: `Bearer ${seed.key}` };
  const path = `/api/v2/buyer/campaigns/${seed.campaignId}`;
  const at = ({ pid, url }: PinnedServer, below: string) => ({ pid, url: `${url}${below}` });
  const get = (server: PinnedServer): Shot => ({ ...at(server, path), headers });
  const bareGet: Shot = at(express, `/campaigns/${seed.campaignId}`);
  const mcp = (server: PinnedServer, method: string, params: Record<string, unknown>): Shot => ({
    ...at(server, '/mcp/v2/buyer'),
    method: 'POST',
    ...stateless(method, params, headers),
  });
  const call = { name: 'campaign_get', arguments: { campaignId: seed.campaignId } };
  return [
    {
      title: 'GET campaign',
      peer: 'bare Express, same SELECTs',
      promised: 3,
      ours: get(own),
      theirs: bareGet,
      floor: at(node, `/campaigns/${seed.campaignId}`),
    },
    ...postCasesOf(seed, { own, express }),
    {
      title: 'MCP tools/call campaign_get, stateless',
      peer: 'bare Express GET',
      promised: 2.5,
      ours: mcp(mcpAlone, 'tools/call', call),
      theirs: bareGet,
      floor: mcp(node, 'tools/call', call),
    },
    {
      title: 'MCP tools/call campaign_get, stateless',
      peer: 'official low-level server, same SELECTs',
      promised: 10,
      ours: mcp(mcpAlone, 'tools/call', call),
      theirs: mcp(lowLevel, 'tools/call', call),
      floor: mcp(node, 'tools/call', call),
    },
    {
      title: 'MCP tools/list, stateless',
      peer: 'official McpServer, same tools',
      promised: 20,
      ours: mcp(mcpAlone, 'tools/list', {}),
      theirs: mcp(highLevel, 'tools/list', {}),
    },
    {
      title: 'GET campaign, 300 capabilities',
      peer: 'the same with 10 capabilities',
      promised: 0.97,
      ours: get(many),
      theirs: get(ten),
    },
  ];
}

function postCasesOf(seed: Seed, { own, express }: Pick<Addresses, 'own' | 'express'>): Case[] {
  const headers = { authorization: `Bearer ${seed.key}` };
  const post = { method: 'POST', body: campaignBody(seed.advertiserId) } as const;
  const ours: Shot = { pid: own.pid, url: `${own.url}/api/v2/buyer/campaigns`, headers, ...post };
  const theirs: Shot = { pid: express.pid, url: `${express.url}/campaigns`, ...post };
  const peer = 'bare Express, durable transaction of two rows';
  const keyed: Shot = { ...ours, headers: { ...headers, 'idempotency-key': 'bench-[<id>]' }, varies: true };
  return [
    { title: 'POST campaign', peer, promised: 0.8, ours, theirs },
    { title: 'POST campaign with an idempotency key', peer, promised: 1, ours: keyed, theirs },
  ];
}

function tokenCasesOf(seed: Seed, { own, recognition, tokenServer }: Addresses): Case[] {
  const campaign = { pid: own.pid, url: `${own.url}/api/v2/buyer/campaigns/${seed.campaignId}` };
  const withBearer = (value: string): Shot => ({
    ...campaign,
    headers: { authorization: `Bearer ${value}` },
  });
  const asking = ({ pid, url }: PinnedServer, clientId: string, secret: string): Shot => ({
    pid,
    url: `${url}/auth/token`,
    method: 'POST',
    form: { grant_type: 'client_credentials', client_id: clientId, client_secret: secret },
  });
  const { clientId, secret } = seed.application;
  const at = (below: string): Shot => ({ pid: recognition.pid, url: `${recognition.url}${below}` });
  return [
    {
      title: 'Tokens: GET campaign with an access token',
      peer: 'the same with an API key',
      promised: 0.95,
      ours: withBearer(seed.accessToken),
      theirs: withBearer(seed.key),
    },
    {
      title: 'Tokens: first recognition of a JWT, 20 in a request',
      peer: 'bare jose verification',
      promised: 0.67,
      ours: at('/rialto'),
      theirs: at('/bare'),
    },
    {
      title: 'Tokens: client_credentials, durable and audited',
      peer: 'oidc-provider with its adapter in memory',
      promised: 0.7,
      ours: asking(own, clientId, secret),
      theirs: asking(tokenServer, 'bench', 'bench-secret-of-many-characters-000000000000'),
    },
  ];
}

function stateless(method: string, params: Record<string, unknown>, auth: Readonly<Record<string, string>>) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params['name'];
  return {
    headers: {
      ...auth,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
  };
}
