import type { CallOptions, ToolClient } from './mcp-client.ts';
import { type Declared, declaredBy } from './seller-abilities.ts';
import { type ToolList, toolListOf } from './tool-lists.ts';

/** What the servers at the other ends of connections declare: each asked once a connection, when it is needed. */
export interface Declarations {
  tools(client: ToolClient, options: CallOptions): Promise<ToolList>;
  abilities(client: ToolClient, options: CallOptions): Promise<Declared>;
  /** The same as it is now. */
  declaredNow(client: ToolClient, options: CallOptions): Promise<Declared>;
  /** Its tools as they are now. */
  renewed(client: ToolClient, options: CallOptions): Promise<ToolList>;
  /** A server that refuses what it declared has changed: it is asked again. */
  forget(client: ToolClient): void;
}

export function declarations(): Declarations {
  const tools = oncePerClient(toolListOf);
  const renewed: Declarations['renewed'] = (client, options) => {
    tools.forget(client);
    return tools.read(client, options);
  };
  // A change is refused for what the list leaves out, which may be older than the change.
  const abilities = oncePerClient(
    async (client, options) => declaredBy(client, await renewed(client, options), options),
    // Who refuses to say it now may say it to the next who asks.
    ({ targeting }) => targeting !== 'unheard',
  );
  return {
    tools: tools.read,
    abilities: abilities.read,
    declaredNow: (client, options) => {
      abilities.forget(client);
      return abilities.read(client, options);
    },
    renewed,
    forget: (client) => {
      tools.forget(client);
      abilities.forget(client);
    },
  };
}

type Read<T> = (client: ToolClient, options: CallOptions) => Promise<T>;

interface Remembered<T> {
  readonly read: Read<T>;
  forget(client: ToolClient): void;
}

/** What was read is remembered where it is worth it, and what failed is not. */
function oncePerClient<T>(read: Read<T>, isLasting: (known: T) => boolean = () => true): Remembered<T> {
  const known = new WeakMap<ToolClient, Promise<T>>();
  return {
    read: (client, { timeoutMs }) => {
      // It serves whoever asks next: it ends with its own time, and not with the call that needed it first.
      const reading =
        known.get(client) ?? read(client, { timeoutMs, signal: AbortSignal.timeout(timeoutMs) });
      known.set(client, reading);
      reading.then(isLasting).then(
        (lasts) => lasts || known.delete(client),
        () => known.delete(client),
      );
      return reading;
    },
    forget: (client) => void known.delete(client),
  };
}
