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

/** The revisions of the protocol that are spoken: without a session, and in one. */
export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];

/** Below this address of the service stands its icon. */
export const ICON_PATH = '/icon.svg';

/** How hosts show the service. */
export function iconsAt(baseUrl: string) {
  return [{ src: `${baseUrl}${ICON_PATH}`, mimeType: 'image/svg+xml', sizes: ['any'] }];
}

export interface Identity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly icons: ReturnType<typeof iconsAt>;
}

/** What a server says it can do, in both eras. */
export function capabilitiesOf(extension: Extension | undefined): ServerCapabilities {
  return { tools: {}, resources: {}, prompts: {}, ...extension?.capabilities };
}
