import type {
  Tool as McpTool,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';

/** How long a host may keep a list before it asks again. */
export const LIST_TTL_MS = 300_000;

/** Tools beyond the registry, and whatever else a test build adds to prove the protocol with. */
export interface Extension {
  readonly tools: readonly McpTool[];
  /** What the server can do beyond its own. */
  readonly capabilities?: ServerCapabilities;
  call(name: string, args: Record<string, unknown>, ctx: ServerContext): Promise<unknown>;
  configure(server: Server): void;
}

export interface Identity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** What a server says it can do, in both eras. */
export function capabilitiesOf(extension: Extension | undefined): ServerCapabilities {
  return { tools: {}, resources: {}, prompts: {}, ...extension?.capabilities };
}
