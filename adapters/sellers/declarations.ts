import type { SellerDeclaration } from '../../tools/domain/sellers/abilities.ts';
import type { CallOptions, ToolClient } from './mcp-client.ts';
import { abilitiesBy, type Declared, declarationOf, isHeard } from './seller-abilities.ts';
import { type ToolList, toolListOf } from './tool-lists.ts';

/** What the servers at the other ends of connections declare: each asked once a connection, when it is needed. */
export interface Declarations {
  tools(client: ToolClient, options: CallOptions): Promise<ToolList>;
  /** What it declares of itself. */
  declaration(client: ToolClient, options: CallOptions): Promise<SellerDeclaration>;
  /** The same as it is now. */
  declarationNow(client: ToolClient, options: CallOptions): Promise<SellerDeclaration>;
  abilities(client: ToolClient, options: CallOptions): Promise<Declared>;
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
  // Orders and changes are refused for what the list leaves out, which may be older than they are.
  const declaration = oncePerClient(
    async (client, options) => declarationOf(client, await renewed(client, options), options),
    isHeard,
  );
  const abilities = oncePerClient(
    async (client, options) => {
      const list = await renewed(client, options);
      const byList: Read<SellerDeclaration> = (asked, within) => declarationOf(asked, list, within);
      return abilitiesBy(list, await declaration.read(client, options, byList));
    },
    ({ targeting }) => targeting !== 'unheard',
  );
  const forget: Declarations['forget'] = (client) => {
    for (const one of [tools, declaration, abilities]) one.forget(client);
  };
  return {
    // Whoever calls these gives more than they take, which is not how they are read.
    tools: (client, options) => tools.read(client, options),
    declaration: (client, options) => declaration.read(client, options),
    declarationNow: (client, options) => {
      forget(client);
      return declaration.read(client, options);
    },
    abilities: (client, options) => abilities.read(client, options),
    renewed,
    forget,
  };
}

type Read<T> = (client: ToolClient, options: CallOptions) => Promise<T>;

interface Remembered<T> {
  /** As it is known; where it is not, as it is read, by `how` if that is given. */
  read(client: ToolClient, options: CallOptions, how?: Read<T>): Promise<T>;
  forget(client: ToolClient): void;
}

/** What was read is remembered where it is worth it, and what failed is not. */
function oncePerClient<T>(read: Read<T>, isLasting: (known: T) => boolean = () => true): Remembered<T> {
  const known = new WeakMap<ToolClient, Promise<T>>();
  return {
    read: (client, { timeoutMs }, how = read) => {
      // It serves whoever asks next: it ends with its own time, and not with the call that needed it first.
      const reading = known.get(client) ?? how(client, { timeoutMs, signal: AbortSignal.timeout(timeoutMs) });
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
