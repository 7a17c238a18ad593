import { isFields } from '../../tools/core/schemas/checks.ts';
import { buyIn, ENVELOPES, type Fields } from './adcp-reading.ts';
import { failureIn } from './adcp-wire.ts';
import { parsed } from './answers.ts';
import type { ToolReply } from './mcp-client.ts';

/**
 * Where in a reply the answer stands. Servers put it into structured content, into a text, into one text of several,
 * or wrap what a tool returned as text: `{"result": "<JSON>"}`. The first that names what was asked for is the
 * answer, else the first that says anything in words of AdCP, else the first there is.
 */

/** What each tool is asked for. */
const PAYLOADS: ReadonlyMap<string, string> = new Map([
  ['get_products', 'products'],
  ['get_media_buys', 'media_buys'],
  ['get_media_buy_delivery', 'media_buy_deliveries'],
  ['list_accounts', 'accounts'],
  ['get_adcp_capabilities', 'adcp'],
]);

/** Fields by which an answer says something, whatever was asked. */
const WORDS = ['adcp_error', 'errors', 'error', 'status', 'task_id', 'task', 'success'];

/** What a tool said; undefined where it said nothing but words. */
export function saidIn(reply: ToolReply, tool: string): unknown {
  let saying: unknown;
  let first: unknown;
  for (const said of formsOf(reply)) {
    if (namesAsked(said, tool)) return said;
    if (saying === undefined && says(said)) saying = said;
    first ??= said;
  }
  return saying ?? first;
}

function* formsOf({ structuredContent, text, blocks }: ToolReply) {
  yield* withinOf(structuredContent);
  yield* withinOf(parsed(text));
  if (blocks.length < 2) return;
  // As many as there are: a small answer has no room for more, and of a large one so many are left.
  for (const block of blocks) yield* withinOf(parsed(block));
}

/** An answer, and those that stand in it. Beside an error nothing is an answer but the whole. */
function* withinOf(value: unknown) {
  if (value === undefined || value === null) return;
  const said = opened(value);
  yield said;
  if (!isFields(said) || failureIn(said) !== undefined) return;
  for (const name of ENVELOPES) if (isFields(said[name])) yield opened(said[name]);
}

/** With the JSON that stands in it as a text. */
function opened(said: unknown): unknown {
  if (!isFields(said)) return said;
  const texts = ENVELOPES.flatMap((name) => {
    const within = typeof said[name] === 'string' ? parsed(said[name]) : undefined;
    return isFields(within) ? [[name, within]] : [];
  });
  return texts.length === 0 ? said : { ...said, ...Object.fromEntries(texts) };
}

function namesAsked(said: unknown, tool: string): boolean {
  if (!isFields(said)) return false;
  if (tool === 'create_media_buy') return buyIn(said) !== undefined;
  const payload = said[PAYLOADS.get(tool) ?? ''];
  return Array.isArray(payload) || isFields(payload);
}

function says(said: unknown): boolean {
  return isFields(said) && (WORDS.some((word) => isThere(said, word)) || buyIn(said) !== undefined);
}

function isThere(said: Fields, word: string): boolean {
  return said[word] !== undefined && said[word] !== null;
}
