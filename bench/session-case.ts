import type { Case } from './cases.ts';
import type { Shot } from './load.ts';
import type { PinnedServer } from './pinned.ts';
import type { Seed } from './seed.ts';

const SESSION_REVISION = '2025-11-25';

/** Each call in a session of its own server, as clients of the era before do it. */
export async function sessionCaseOf(seed: Seed, own: PinnedServer, official: PinnedServer): Promise<Case> {
  const authorization = `Bearer ${seed.key}`;
  return {
    title: 'MCP tools/call campaign_get, in a session',
    peer: 'official server, in a session, same SELECTs',
    promised: 3,
    ours: await inSession(own, { authorization }, seed.campaignId),
    theirs: await inSession(official, {}, seed.campaignId),
  };
}

async function inSession(
  { pid, url }: PinnedServer,
  auth: Readonly<Record<string, string>>,
  campaignId: string,
): Promise<Shot> {
  const address = `${url}/mcp/v2/buyer`;
  const accept = 'application/json, text/event-stream';
  const asked = { ...auth, accept, 'content-type': 'application/json' };
  const opened = await fetch(address, {
    method: 'POST',
    headers: asked,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: SESSION_REVISION,
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      },
    }),
  });
  await opened.text();
  const session = opened.headers.get('mcp-session-id');
  if (session === null) throw new Error(`${address} opened no session: ${opened.status}.`);
  const headers = { ...auth, accept, 'mcp-session-id': session, 'mcp-protocol-version': SESSION_REVISION };
  const ready = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  });
  await ready.text();
  return {
    pid,
    url: address,
    method: 'POST',
    headers,
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'campaign_get', arguments: { campaignId } },
    },
  };
}
