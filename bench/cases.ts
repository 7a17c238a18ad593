import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shot } from './load.ts';
import { type PinnedServer, startPinned } from './pinned.ts';
import { campaignBody, type Seed } from './seed.ts';

/** One figure: what is measured, beside what, and what was promised of the two. */
export interface Case {
  readonly title: string;
  readonly peer: string;
  /** At least this many times the peer: it spends so many times our time of the processor on a request. */
  readonly promised: number;
  readonly ours: Shot;
  readonly theirs: Shot;
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
  const own = await rialto('rialto', ['dist/bundle/main.js']);
  const ten = await rialto('ten', [...SOURCE, 'bench/rialto-with.ts', '10']);
  const many = await rialto('many', [...SOURCE, 'bench/rialto-with.ts', '300']);
  const express = await peer('express');
  const lowLevel = await peer('official-low-level');
  const highLevel = await peer('official-mcp-server');
  const addresses = { own, ten, many, express, lowLevel, highLevel };
  return {
    cases: casesOf(seed, addresses),
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
  Record<'own' | 'ten' | 'many' | 'express' | 'lowLevel' | 'highLevel', PinnedServer>
>;

function casesOf(seed: Seed, { own, ten, many, express, lowLevel, highLevel }: Addresses): Case[] {
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
      peer: 'bare Express, same SELECT',
      promised: 3,
      ours: get(own),
      theirs: bareGet,
    },
    {
      title: 'POST campaign',
      peer: 'bare Express, durable transaction of two rows',
      promised: 0.8,
      ours: {
        ...at(own, '/api/v2/buyer/campaigns'),
        method: 'POST',
        headers,
        body: campaignBody(seed.advertiserId),
      },
      theirs: { ...at(express, '/campaigns'), method: 'POST', body: campaignBody(seed.advertiserId) },
    },
    {
      title: 'MCP tools/call campaign_get, stateless',
      peer: 'bare Express GET',
      promised: 2.5,
      ours: mcp(own, 'tools/call', call),
      theirs: bareGet,
    },
    {
      title: 'MCP tools/call campaign_get, stateless',
      peer: 'official low-level server, same SELECT',
      promised: 10,
      ours: mcp(own, 'tools/call', call),
      theirs: mcp(lowLevel, 'tools/call', call),
    },
    {
      title: 'MCP tools/list, stateless',
      peer: 'official McpServer, same tools',
      promised: 20,
      ours: mcp(own, 'tools/list', {}),
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
