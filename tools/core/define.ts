import type { z } from 'zod';
import type { AuditResourceType } from '../../store/audit-log.ts';
import type { Access } from './access.ts';
import type { Context } from './context.ts';
import type { ErrorCode } from './errors.ts';
import type { Spellings } from './spellings.ts';

export const surfaces = ['buyer', 'storefront', 'platform'] as const;
/** Where a capability is reached: `platform` stands on both MCP servers and below `/api/v2`. */
export type Surface = (typeof surfaces)[number];

export const effects = ['read', 'create', 'update', 'delete', 'act'] as const;
/** What a call does: decides MCP hints, the terms gate and the audit entry. */
export type Effect = (typeof effects)[number];

export const toolsets = [
  'advertisers',
  'discovery',
  'campaigns',
  'storefronts',
  'webhooks',
  'selling',
  'account',
  'system',
] as const;
export type Toolset = (typeof toolsets)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Rest {
  readonly method: Method;
  /** Below the surface's prefix, with `{name}` for path parameters; `/` is the prefix itself. */
  readonly path: string;
  /** Further paths that answer the same. */
  readonly also?: readonly string[];
  /** True when the paths hang at the root of the host, not below a prefix. */
  readonly atRoot?: true;
  /** 200 unless said otherwise. */
  readonly status?: 200 | 201 | 202;
  /** The output field that holds the rows of a list: puts `meta.pagination` around it. */
  readonly list?: string;
  /** What REST shows instead of the output, where the contract says so. */
  readonly shows?: Shown;
}

export interface Shown {
  readonly schema: z.ZodType;
  from(output: Readonly<Record<string, unknown>>): unknown;
}

/** One capability, written once. Everything that reaches it is computed from this. */
export interface Definition<I extends z.ZodObject, O extends z.ZodObject, F> {
  /** snake_case; equals the file name with `_` for `-`. */
  readonly name: string;
  /** Two to four words, the verb first. */
  readonly title: string;
  /** For a reader who is a model: when to use it, what it returns, what to call next. */
  readonly description: string;
  readonly surface: Surface;
  readonly toolset: Toolset;
  readonly effect: Effect;
  /** What a mutation is about, for the audit log. */
  readonly resource?: AuditResourceType;
  /** True when the call reaches parties outside this service, such as sellers. */
  readonly openWorld?: true;
  readonly access: Access;
  /** True while an organization must opt in. */
  readonly alpha?: true;
  readonly rest: Rest;
  readonly input: I;
  /** Other names under which input fields are accepted. */
  readonly spellings?: Spellings;
  readonly output: O;
  /** Codes beyond the common ones. */
  readonly errors: readonly ErrorCode[];
  /** Loads what the call is about: 404 when it is not there, 403 when the caller's grants miss it. */
  find?(ctx: Context, input: z.output<I>): Promise<F>;
  handler(ctx: Context, input: z.output<I>, found: F): Promise<z.input<O>>;
}

/** A definition as the registry holds it: its own types forgotten, its parts still there. */
export type Tool = Definition<z.ZodObject, z.ZodObject, unknown>;

export function defineTool<I extends z.ZodObject, O extends z.ZodObject, F = undefined>(
  definition: Definition<I, O, F>,
): Tool {
  return definition;
}

/** A stream of events: reached over REST alone, through the same gates as a tool. */
export interface Stream {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly surface: Surface;
  readonly toolset: Toolset;
  readonly access: Access;
  readonly path: string;
  readonly input: z.ZodObject;
  /** The input field that says after which event to begin: `Last-Event-ID` fills it too. */
  readonly resumesAfter: string;
  readonly errors: readonly ErrorCode[];
  /**
   * Resolves once the caller may listen; the frames follow until they end or the signal says stop. Undefined
   * when the caller has the last frame and none will ever follow: REST then answers 204, because a browser's
   * EventSource takes any other end, an empty 200 too, for a broken connection and comes back for ever (WHATWG
   * HTML, server-sent events).
   */
  open(ctx: Context, input: Readonly<Record<string, unknown>>): Promise<AsyncIterable<Frame> | undefined>;
}

/** One server-sent event. */
export interface Frame {
  readonly event: string;
  readonly id: string;
  /** One line of JSON. */
  readonly data: string;
}

export function mutates(tool: Pick<Tool, 'effect'>): boolean {
  return tool.effect !== 'read';
}
