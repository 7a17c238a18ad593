import { type McpSurface, serversOf, surfaces } from '../../tools/core/surfaces.ts';
import { capabilityOf } from '../journeys/journey.ts';
import type { Fields } from '../journeys/step.ts';
import type { Moment } from '../journeys/walk.ts';
import { headersOf } from '../support/callers/browsers.ts';
import { type Outcome, overMcp, overRest } from '../support/callers/tool-lanes.ts';
import { ask } from '../support/server/ask.ts';

/** By its address, as a tool of its own, and through the tool that calls any operation. */
export const ways = ['REST', 'MCP', 'api_call'] as const;
export type Way = (typeof ways)[number];

export interface Question {
  readonly url: string;
  readonly key: string;
  readonly way: Way;
  readonly args: Fields;
  /** The MCP servers that are asked for what is no tool. */
  readonly servers: readonly McpSurface[];
}

/** How a call of the moment's step ends, in the words of `Cell`. */
export async function endOf(moment: Moment, question: Question): Promise<string> {
  const { key, way, args } = question;
  if (way === 'REST') return inWords(await moment.ask({ key, args, lane: overRest }), way);
  const capability = capabilityOf(moment.step);
  const { name, surface } = capability;
  if (way === 'api_call') {
    const [server = 'buyer'] = serversOf(surface);
    return callByName({ ...question, args: { operation: name, body: args } }, { name: 'api_call', server });
  }
  const isTool = 'handler' in capability && capability.restOnly !== true;
  if (isTool) return inWords(await moment.ask({ key, args, lane: overMcp }), way);
  // What is no tool is called as if it were one.
  const ends = await Promise.all(question.servers.map((server) => callByName(question, { name, server })));
  return [...new Set(ends)].join(' and ');
}

function inWords(
  { failed, status, content }: Pick<Outcome, 'failed' | 'status' | 'content'>,
  way: Way,
): string {
  if (!failed) return 'passed';
  const code = String(content['code']);
  return way !== 'REST' && status === 200 ? code : `${status} ${code}`;
}

interface Named {
  readonly name: string;
  readonly server: McpSurface;
}

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** `tools/call` of a name at the plain address of a server. */
async function callByName({ url, key, args }: Question, { name, server }: Named): Promise<string> {
  const response = await ask(`${url}${surfaces[server].mcp.path}`, {
    method: 'POST',
    headers: {
      ...headersOf(key === '' ? undefined : key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, _meta: META },
    }),
  });
  const { result, error } = JSON.parse(response.text);
  if (error?.message.includes(`Unknown tool: ${name}.`)) return 'unknown tool';
  const content = result?.structuredContent ?? error;
  if (name === 'api_call' && content.field === 'operation') return 'no such operation';
  const failed = result?.isError === true || response.status >= 400;
  return inWords({ failed, status: response.status, content }, 'MCP');
}
