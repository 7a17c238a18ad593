import { headersOf } from '../callers/browsers.ts';
import type { TestServer } from '../server/server.ts';
import { initialize, rpc } from './mcp.ts';

const BUYER = '/mcp/v2/buyer';

/** A session of MCP that is open. */
export interface McpSession {
  /** Calls a tool: `go on`, or the code of the refusal. */
  call(name: string, args: object): Promise<string>;
  readonly stream: { readonly text: Promise<string>; readonly isOver: () => boolean };
}

/** Opens one at the address of buyers, with whatever credential, and listens to it. */
export async function openMcp(server: TestServer, shown: string): Promise<McpSession> {
  const url = `${server.url}${BUYER}`;
  const own = { ...headersOf(shown), 'content-type': 'application/json' };
  const opened = await fetch(url, { method: 'POST', headers: own, body: initialize() });
  await opened.text();
  const id = opened.headers.get('mcp-session-id');
  if (opened.status !== 200 || id === null) throw new Error(`MCP answered ${opened.status}.`);
  const inSession = { ...own, 'mcp-session-id': id };
  const listening = await fetch(url, { headers: { ...inSession, accept: 'text/event-stream' } });
  const state = { over: false };
  let calls = 0;
  const text = listening.text().finally(() => {
    state.over = true;
  });
  // Who lets it go at the end of a test has heard enough.
  text.catch(() => {});
  return {
    call: async (name, args) => {
      calls += 1;
      const body = rpc('tools/call', { name, arguments: args }, calls);
      const answer = await fetch(url, { method: 'POST', headers: inSession, body });
      const { error, result } = JSON.parse(await answer.text());
      if (answer.status !== 200) return answer.status === 401 ? 'UNAUTHORIZED' : String(error?.code ?? error);
      return result?.isError === true ? result.structuredContent.code : 'go on';
    },
    stream: { text, isOver: () => state.over },
  };
}
