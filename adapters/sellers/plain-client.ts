import { isFields } from '../../tools/core/schemas/checks.ts';
import { OtherProtocolError } from './client-failures.ts';
import { toolListing } from './declared-tools.ts';
import type { CallOptions, DeclaredTool, ToolClient, ToolReply } from './mcp-client.ts';
import { ask, type Line, resultOf, tell } from './mcp-line.ts';
import { withAdcpError } from './refusal-forms.ts';

/** Revisions of the older era, the one that is offered first (MCP, lifecycle). */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
const CLIENT = { name: 'rialto', version: '1' };
/** More pages than any list of tools has. */
export const PAGES_MAX = 16;

/**
 * A client of the older era, which nearly all sellers speak. It does what a seller is asked for and no more: the
 * official one spends several times as much on each call, and a session makes hundreds (decision 0020).
 */
export async function connectPlain(greeted: Line, options: CallOptions): Promise<ToolClient> {
  const { line, capabilities } = await greet(greeted, options);
  const sender = senderOf(line);
  return {
    call: async (name, args, given) => replyOf(await sender('tools/call', { name, arguments: args }, given)),
    tools: (given) => (isFields(capabilities['tools']) ? listTools(sender, given) : Promise.resolve([])),
    close: () => Promise.resolve(),
  };
}

async function greet(line: Line, { signal }: CallOptions) {
  const params = { protocolVersion: REVISIONS[0], capabilities: {}, clientInfo: CLIENT };
  const { answer, headers } = await ask(line, { body: messageOf(0, 'initialize', params), signal });
  const { protocolVersion, capabilities } = resultOf(answer);
  if (
    typeof protocolVersion !== 'string' ||
    !REVISIONS.includes(protocolVersion) ||
    !isFields(capabilities)
  ) {
    throw new OtherProtocolError('The server greets in no revision that is known.');
  }
  const session = headers['mcp-session-id'];
  const open: Line = {
    ...line,
    headers: {
      ...line.headers,
      'mcp-protocol-version': protocolVersion,
      ...(typeof session === 'string' ? { 'mcp-session-id': session } : {}),
    },
  };
  await tell(open, { body: messageOf(undefined, 'notifications/initialized'), signal });
  return { line: open, capabilities };
}

type Answered = Awaited<ReturnType<typeof ask>>['answer'];
type Sender = (method: string, params: object, options: CallOptions) => Promise<Answered>;

/** Sends requests, each with a number of its own. One that is over before its answer came is called off. */
function senderOf(line: Line): Sender {
  let last = 0;
  return async (method, params, { signal, timeoutMs }) => {
    last += 1;
    const id = last;
    try {
      return (await ask(line, { body: messageOf(id, method, params), signal })).answer;
    } catch (error) {
      if (signal.aborted) callOff(line, id, timeoutMs);
      throw error;
    }
  };
}

/** Nobody waits for it, and it goes out although the call it is about is over. */
function callOff(line: Line, requestId: number, timeoutMs: number): void {
  const body = messageOf(undefined, 'notifications/cancelled', { requestId, reason: 'The call is over.' });
  tell(line, { body, signal: AbortSignal.timeout(timeoutMs) }).catch(() => {});
}

function messageOf(id: number | undefined, method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

async function listTools(sender: Sender, options: CallOptions): Promise<DeclaredTool[]> {
  const listing = toolListing();
  let cursor: unknown;
  for (let page = 0; page < PAGES_MAX && !listing.isFull; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = resultOf(await sender('tools/list', params, options));
    if (!Array.isArray(tools)) throw new OtherProtocolError('The list of tools is none.');
    listing.add(tools);
    if (typeof nextCursor !== 'string') break;
    cursor = nextCursor;
  }
  return listing.tools;
}

/**
 * What a tool answered. Nothing of its form is checked: what is malformed beside the answer makes it none the less one.
 */
export function replyOf(answer: Answered): ToolReply {
  const { content, structuredContent, isError } = resultOf({ message: withAdcpError(answer.message) });
  const blocks = Array.isArray(content) ? content.flatMap(textIn) : [];
  return {
    isError: isError === true,
    structuredContent: structuredContent ?? undefined,
    text: blocks.join('\n'),
    blocks,
    products: answer.products,
  };
}

function textIn(block: unknown): string[] {
  return isFields(block) && block['type'] === 'text' && typeof block['text'] === 'string'
    ? [block['text']]
    : [];
}
