import type { z } from 'zod';
import type { Access } from './access.ts';
import type { Question } from './consent.ts';
import type { Context } from './context.ts';
import type { ErrorCode } from './errors/catalogue.ts';
import type { Kind } from './kinds.ts';
import type { Elsewhere, NotBuilt } from './schemas/not-built.ts';
import type { Spellings } from './schemas/spellings.ts';
import type { Surface } from './surfaces.ts';

/**
 * What a call does: decides MCP hints, the terms gate and the audit entry. `read` changes nothing that a caller
 * decides; what sellers report on the way may be stored, as the service's own deed.
 */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'act';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Rest {
  readonly method: Method;
  /** Below the surface's prefix, with `{name}` for path parameters; `/` is the prefix itself. */
  readonly path: string;
  /** Further paths that answer the same. */
  readonly also?: readonly string[];
  /** True when the paths hang at the root of the host, not below a prefix. */
  readonly atRoot?: true;
  /** True for what monitors ask as often as they like: it takes nothing of the limit per IP. */
  readonly uncounted?: true;
  /** 200 unless said otherwise; 204 shows nothing of the output. */
  readonly status?: 200 | 201 | 202 | 204;
  /** With 204: when there is something to say after all. The call then answers this status with its output. */
  readonly instead?: {
    readonly status: 200 | 202;
    /** What the status means here, for readers of the documents. */
    readonly means: string;
    when(output: Readonly<Record<string, unknown>>): boolean;
  };
  /** The output field that holds the rows of a list: puts `meta.pagination` around it. */
  readonly list?: string;
  /** What REST shows instead of the output, where the contract says so. */
  readonly shows?: Shown;
}

export interface Shown {
  readonly schema: z.ZodType;
  from(output: Readonly<Record<string, unknown>>): unknown;
}

type ObjectId = string | number | undefined;

/**
 * What a mutation is about, for the audit log: the kind of object, and where its id stands. A refused call is
 * filed under the id that its input names, if it names one; of an input that did not pass each field is read alone,
 * and is undefined where it is wrong.
 */
export type Audit<I, O> = { readonly kind: Kind } & (
  | { ofInput(input: I): ObjectId; ofResult?(result: O): ObjectId }
  | { ofInput?(input: I): ObjectId; ofResult(result: O): ObjectId }
);

interface Parts<I extends z.ZodObject, O extends z.ZodObject, F> {
  /** snake_case; equals the file name with `_` for `-`. */
  readonly name: string;
  /** Two to four words, the verb first. */
  readonly title: string;
  /**
   * Input that works as it stands, but for the ids in it: `/docs` is filled with it, guides show it, and a test
   * calls with it. A moment in it lies so far ahead that it does not age.
   */
  readonly example?: NoInfer<z.input<I>>;
  /** For a reader who is a model: when to use it, what it returns, what to call next. */
  readonly description: string;
  /** True when the call reaches parties outside this service, such as sellers; `by` where only this field makes it. */
  readonly openWorld?: true | { readonly by: string };
  /**
   * True where the handler does something once its change is stored, or waits: one transaction cannot hold it; `by`
   * where only this field makes it.
   */
  readonly inSteps?: true | { readonly by: string };
  /** True for a call that stores no more than a question to sellers: addresses that only read keep it. */
  readonly asksOnly?: true;
  /**
   * True for a call that places orders with sellers: with discovery and creations it waits where the service is behind.
   */
  readonly buys?: true;
  /** True for a call that makes other calls for its caller: their gates, hints and errors are its own. */
  readonly passesOn?: true;
  readonly access: Access;
  /** True while an organization must opt in. */
  readonly alpha?: true;
  /** Its address over REST. What is about MCP has none. */
  readonly rest?: Rest;
  /** True for what no MCP server knows, whatever way is tried: secrets of long life are not for chats. */
  readonly restOnly?: true;
  /** True for what no host is shown unasked, though its family is. */
  readonly unlisted?: true;
  readonly input: I;
  /** Other names under which input fields are accepted. */
  readonly spellings?: Spellings;
  /** What the contract documents beyond the input, and is answered NOT_IMPLEMENTED. */
  readonly notBuilt?: NotBuilt;
  /** Fields that callers give by what they know from elsewhere (`packages[].canceled`), each with where it is done. */
  readonly elsewhere?: Elsewhere;
  readonly output: O;
  /** Codes beyond the common ones. Another one is logged, and fails the test that meets it. */
  readonly errors: readonly ErrorCode[];
  /**
   * What a person is asked before the call goes on, where its client can ask one; undefined where nothing has to be
   * asked. It changes nothing.
   */
  question?(ctx: Context, input: z.output<I>, found: F): Promise<Question | undefined>;
  /** Loads what the call is about: 404 when it is not there, 403 when the caller's grants miss it. */
  find?(ctx: Context, input: z.output<I>): Promise<F>;
  handler(ctx: Context, input: z.output<I>, found: F): Promise<z.input<O>>;
}

/** One capability, written once. Everything that reaches it is computed from this and from its family. */
export type Definition<I extends z.ZodObject, O extends z.ZodObject, F> = Parts<I, O, F> &
  (
    | { readonly effect: 'read'; readonly audit?: never }
    | { readonly effect: Exclude<Effect, 'read'>; readonly audit: Audit<z.output<I>, z.output<O>> }
  );

/** A definition with its own types forgotten, its parts still there. */
export type AnyDefinition = Definition<z.ZodObject, z.ZodObject, unknown>;

/** A definition as the registry holds it, with what its family says of it. */
export type Tool = AnyDefinition & OfFamily;

export interface OfFamily {
  readonly surface: Surface;
  /** What a host chooses by: `?toolsets=` on an MCP address. */
  readonly toolset: string;
  /** True for what a host is shown unasked. The rest is found by `capability_search`. */
  readonly inDefaultList?: true;
}

/** A capability with an address over REST. */
export type RestTool = Tool & { readonly rest: Rest };

export function isRestTool(tool: Tool): tool is RestTool {
  return tool.rest !== undefined;
}

export function defineTool<I extends z.ZodObject, O extends z.ZodObject, F = undefined>(
  definition: Definition<I, O, F>,
): AnyDefinition {
  const { errors, notBuilt } = definition;
  return notBuilt === undefined ? definition : { ...definition, errors: [...errors, 'NOT_IMPLEMENTED'] };
}

/** Whether MCP servers know it at all: in lists, at addresses, in searches and in what passes calls on. */
export function isOverMcp(tool: Pick<AnyDefinition, 'restOnly'>): boolean {
  return tool.restOnly !== true;
}

export function mutates(tool: Pick<AnyDefinition, 'effect'>): boolean {
  return tool.effect !== 'read';
}

/** The codes that a capability answers beyond the common ones: a change also for what its key stands for. */
export function errorsOf({ effect, errors }: Pick<AnyDefinition, 'effect' | 'errors'>): readonly ErrorCode[] {
  return effect === 'read' || errors.includes('CONFLICT') ? errors : [...errors, 'CONFLICT'];
}

/** Whether an address that only reads keeps it. What passes calls on is kept: those meet the same question. */
export function onlyReads(tool: Pick<AnyDefinition, 'effect' | 'asksOnly'>): boolean {
  return tool.effect === 'read' || tool.asksOnly === true;
}
