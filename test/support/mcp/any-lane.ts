import { messagesOf, rawClient, stateless } from './mcp.ts';

type Fields = Readonly<Record<string, unknown>>;

interface At {
  readonly url: string;
  readonly key: string;
  /** The surface, with the query of its address. */
  readonly at: string;
  /** True for the lane of the official server. */
  readonly official?: boolean;
}

export interface Called {
  readonly failed: boolean;
  /** The structured content, or the error of JSON-RPC. */
  readonly content: Fields;
}

/** One stateless call of a tool at an address. */
export async function callTool(
  { url, key, at, official = false }: At,
  name: string,
  args: Fields,
): Promise<Called> {
  const client = rawClient(url);
  const _meta = official ? { progressToken: 1 } : {};
  const sent = stateless(key, 'tools/call', { name, arguments: args, _meta });
  const answer = await client.send({ path: `/mcp/v2/${at}`, ...sent });
  client.close();
  const message = messagesOf(answer).at(-1) as {
    result?: { isError?: boolean; structuredContent: Fields };
    error?: Fields;
  };
  return {
    failed: message.error !== undefined || message.result?.isError === true,
    content: message.result?.structuredContent ?? message.error ?? {},
  };
}
