import { isFields } from '../../tools/core/schemas/checks.ts';
import { answerIn } from './answers.ts';
import { StatusError } from './client-failures.ts';
import { ask, type Line } from './mcp-line.ts';

/** The revision with which servers stopped being greeted (MCP, 2026-07-28). */
const NEWER = '2026-07-28';
/** A server names the revisions it speaks, because it does not speak that of the request. */
const OTHER_REVISION = -32_022;
/** How servers answer the newer era's question who do not know it and break over it. */
const BROKEN_BY_PROBE: ReadonlySet<number> = new Set([500, 501, 502]);

const PROBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 'probe',
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': NEWER,
      'io.modelcontextprotocol/clientInfo': { name: 'rialto', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/**
 * Whether a server speaks the newer era: it is asked, and whatever it answers that is no yes is a no. One that
 * refuses our credential, breaks otherwise or does not speak the protocol at all fails here.
 */
export async function speaksNewer(line: Line, signal: AbortSignal): Promise<boolean> {
  const headers = { 'mcp-protocol-version': NEWER, 'mcp-method': 'server/discover' };
  try {
    const { answer } = await ask(line, { body: PROBE, headers, signal });
    return namesNewer(answer.message);
  } catch (error) {
    if (error instanceof StatusError && isMute(error.status)) {
      return namesNewer(answerIn(error.text)?.message ?? {});
    }
    throw error;
  }
}

/** The newer era's question alone failed: the older one may be answered. */
function isMute(status: number): boolean {
  return BROKEN_BY_PROBE.has(status) || (status < 500 && status !== 401 && status !== 403);
}

function namesNewer({ result, error }: Readonly<Record<string, unknown>>): boolean {
  if (isFields(result)) return listsNewer(result['supportedVersions']);
  if (!isFields(error) || error['code'] !== OTHER_REVISION || !isFields(error['data'])) return false;
  return listsNewer(error['data']['supported']);
}

/** Revisions are dates. */
function listsNewer(revisions: unknown): boolean {
  return Array.isArray(revisions) && revisions.some((one) => typeof one === 'string' && one >= NEWER);
}
