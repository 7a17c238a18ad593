import { expect } from 'vitest';
import type { Person } from '../callers/people.ts';
import { ask } from '../server/ask.ts';
import type { TestServer } from '../server/server.ts';

const REVISION = '2026-07-28';

interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

/** The result of a stateless `tools/call`, at the address of the tool itself. */
export async function callTool(server: TestServer, { key }: Pick<Person, 'key'>, call: ToolCall) {
  const response = await ask(`${server.url}/mcp/v2/buyer/${call.name.replaceAll('_', '-')}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': call.name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        ...call,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': REVISION,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
  const answer: any = JSON.parse(response.text);
  expect(answer.error).toBeUndefined();
  return answer.result;
}
