import type { Answer, Exchange } from './call-context.ts';
import type { Services } from './context.ts';
import { isRestTool, type RestTool, type Tool } from './define.ts';
import { tagOf } from './entity-tags.ts';
import { AppError } from './errors/app-error.ts';
import { isConditional } from './versions.ts';

type Call = (services: Services, tool: Tool, exchange: Exchange) => Promise<Answer>;

/**
 * The capability that shows the object of a change: it reads the address that the change is at, or hangs below. Where
 * no address names the object, it is the one of other changes of that kind.
 */
export function readerOf(tool: Tool, tools: readonly Tool[]): RestTool | undefined {
  if (!isRestTool(tool) || !isConditional(tool)) return undefined;
  const others = () => tools.filter((other) => other.audit?.kind === tool.audit?.kind);
  return readerAt(tool, tools) ?? first(others(), (other) => readerAt(other, tools));
}

function first<T, R>(list: readonly T[], of: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = of(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readerAt(tool: Tool, tools: readonly Tool[]): RestTool | undefined {
  if (!isRestTool(tool) || !isConditional(tool)) return undefined;
  return tools.find(
    (other): other is RestTool =>
      isRestTool(other) &&
      other.effect === 'read' &&
      other.surface === tool.surface &&
      showsObject(other) &&
      (other.rest.path === tool.rest.path || tool.rest.path.startsWith(`${other.rest.path}/`)),
  );
}

/** Whether an address is that of one object, and not of something below it. */
export function showsObject({ rest }: Pick<RestTool, 'rest'>): boolean {
  return rest.path === '/' || rest.path.endsWith('}');
}

/** Whether what a capability answers is one object by itself, which has a tag: read, or left by a change. */
export function isTagged(tool: RestTool): boolean {
  if (!showsObject(tool)) return false;
  return tool.effect === 'read'
    ? tool.rest.method === 'GET'
    : tool.effect === 'update' && isConditional(tool);
}

/** A stale write says what holds by now: the object as its own address shows it, and its version. */
export async function withCurrent(
  error: AppError,
  input: Answer['input'] | null,
  { services, tool, exchange, call }: { services: Services; tool: Tool; exchange: Exchange; call: Call },
): Promise<AppError> {
  const reader = error.stale ? readerOf(tool, services.registry.tools) : undefined;
  if (reader === undefined || input === null) return error;
  const id = tool.audit?.ofInput?.(input);
  const named = [...reader.rest.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, input[name] ?? id]);
  const { from, server } = exchange;
  try {
    const answer = await call(services, reader, { from, server, read: () => Object.fromEntries(named) });
    const { output, version } = answer;
    const shown = server === undefined && reader.rest.shows ? reader.rest.shows.from(output) : output;
    const etag =
      version === undefined ? {} : { etag: tagOf(version, JSON.stringify(shown), services.ports.digest) };
    return error.with({ current: shown, ...etag });
  } catch (thrown) {
    // Whoever may not read it, or comes when it is gone, is told what was wrong all the same.
    if (thrown instanceof AppError) return error;
    throw thrown;
  }
}
