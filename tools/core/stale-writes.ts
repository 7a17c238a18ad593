import type { Answer, Exchange } from './call-context.ts';
import type { Services } from './context.ts';
import { isRestTool, type RestTool, type Tool } from './define.ts';
import { isAmong, MATCH_HEADER, tagOf } from './entity-tags.ts';
import { AppError } from './errors/app-error.ts';
import { staleWrite } from './errors/refusals.ts';
import { namesIn } from './examples.ts';
import { isConditional } from './versions.ts';

type Call = (services: Services, tool: Tool, exchange: Exchange) => Promise<Answer>;

/**
 * The capability that shows the object of a change: it reads the address that the change is at, or hangs below. Where
 * no address names the object, it is the one of other changes of that kind.
 */
export function readerOf(tool: Tool, tools: readonly Tool[]): RestTool | undefined {
  if (!isRestTool(tool) || !isConditional(tool)) return undefined;
  const ofKind = tools.filter((other) => isConditional(other) && other.audit?.kind === tool.audit?.kind);
  for (const one of [tool, ...ofKind]) {
    const reader = isRestTool(one) ? readerThat(isAbove, one, tools) : undefined;
    if (reader !== undefined) return reader;
  }
  return undefined;
}

type Shows = (reader: RestTool, tool: RestTool) => boolean;

const isAbove: Shows = (reader, { rest: { path } }) =>
  showsObject(reader) && (reader.rest.path === path || path.startsWith(`${reader.rest.path}/`));

const isThere: Shows = (reader, { rest: { path } }) => isTagged(reader) && reader.rest.path === path;

function readerThat(shows: Shows, tool: RestTool, tools: readonly Tool[]): RestTool | undefined {
  return tools.find(
    (other): other is RestTool =>
      isRestTool(other) && other.effect === 'read' && other.surface === tool.surface && shows(other, tool),
  );
}

/** Whether an address is that of one object, and not of something below it. */
function showsObject({ rest }: Pick<RestTool, 'rest'>): boolean {
  return rest.path === '/' || rest.path.endsWith('}');
}

/** Whether what a capability answers is one object by itself, which has a tag: read, or left by a change. */
export function isTagged(tool: RestTool): boolean {
  if (!showsObject(tool)) return false;
  return tool.effect === 'read'
    ? tool.rest.method === 'GET'
    : tool.effect === 'update' && isConditional(tool);
}

/**
 * The capability that shows the object of a change, where that counts no versions: a change may name the whole answer
 * that it was made on.
 */
export function wholeReaderOf(tool: Tool, tools: readonly Tool[]): RestTool | undefined {
  if (!isRestTool(tool) || isConditional(tool)) return undefined;
  // What is made anew was read by nobody.
  if (tool.effect === 'read' || tool.effect === 'create') return undefined;
  return readerThat(isThere, tool, tools);
}

interface Asking {
  readonly services: Services;
  readonly tool: Tool;
  readonly exchange: Exchange;
  readonly call: Call;
}

/**
 * Refuses a change of what counts no versions, where its caller names no answer that is given now. Gives whether that
 * was asked: false where the caller names none, or the object counts versions, which then have to hold.
 */
export async function requireAsShown(input: Answer['input'], asking: Asking): Promise<boolean> {
  const { services, tool, exchange } = asking;
  const { ifMatch } = exchange;
  const reader = ifMatch === undefined ? undefined : wholeReaderOf(tool, services.registry.tools);
  if (ifMatch === undefined || reader === undefined || tool.audit === undefined) return false;
  const field = MATCH_HEADER;
  const { etag } = await shownNow(reader, input, asking);
  if (!isAmong({ field, given: ifMatch }, etag)) throw staleWrite(tool.audit.kind, { field });
  return true;
}

/** A stale write says what holds by now: the object as its own address shows it, and its version. */
export async function withCurrent(
  error: AppError,
  input: Answer['input'] | null,
  asking: Asking,
): Promise<AppError> {
  const { tool } = asking;
  const { tools } = asking.services.registry;
  const reader = readerOf(tool, tools) ?? wholeReaderOf(tool, tools);
  if (reader === undefined || input === null) return error;
  try {
    const { shown, etag } = await shownNow(reader, input, asking);
    return error.with({ current: shown, etag });
  } catch (thrown) {
    // Whoever may not read it, or comes when it is gone, is told what was wrong all the same.
    if (thrown instanceof AppError) return error;
    throw thrown;
  }
}

/** What its own address shows of the object of a change, and the tag of that. */
async function shownNow(
  reader: RestTool,
  input: Answer['input'],
  { services, tool, exchange: { from, server }, call }: Asking,
) {
  const id = tool.audit?.ofInput?.(input);
  const names = namesIn(reader.rest.path);
  // As they stand in an address: one reads an id as a number, and another as text.
  const read = () => Object.fromEntries(names.map((name) => [name, String(input[name] ?? id)]));
  const { output, version } = await call(services, reader, { from, server, read });
  const shown = server === undefined && reader.rest.shows ? reader.rest.shows.from(output) : output;
  return { shown, etag: tagOf(version, JSON.stringify(shown), services.ports.digest) };
}
