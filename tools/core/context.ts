import type { Permission } from '../../store/api-keys.ts';
import type { Db, Store } from '../../store/engine/db.ts';
import type { Scope } from '../../store/engine/scope.ts';
import type { Tier } from '../../store/organizations.ts';
import type { Bearer } from './access.ts';
import type { AuditSubject, Subjects } from './audit.ts';
import type { Answer } from './call-context.ts';
import type { Question } from './consent.ts';
import type { Tool } from './define.ts';
import type { Registry } from './families.ts';
import type { Limits } from './limits.ts';
import type { Ports } from './ports.ts';
import type { McpSurface } from './surfaces.ts';
import type { Trace } from './traces.ts';

/** A person by address and name. */
export interface Named {
  readonly email: string;
  readonly name: string;
}

/** What callers with an outdated credential are told. Milliseconds since 1970. */
export interface Deprecated {
  readonly since: number;
  /** When its kind is taken no more, where that is decided. */
  readonly until?: number;
}

/** What a service elsewhere says of a key that it keeps. */
export interface KeptElsewhere {
  /** Who made it; null where it was nobody of ours. */
  readonly createdByUserId: number | null;
}

/** Who calls: what a recogniser made of a credential. */
export interface Caller extends Bearer {
  /** Names the credential in logs, limits and the audit log: `api_key:key_…`. */
  readonly principal: string;
  /** Whose grants narrow it, where that is another: of a token, the person it acts for (`user:7`). */
  readonly holder?: string;
  /** What people know it by: an e-mail address, the name of a key, an application or a token. */
  readonly name: string;
  readonly organizationId: number;
  readonly permissions: ReadonlySet<Permission>;
  readonly advertiserIds: readonly number[] | null;
  readonly userId: number | null;
  /** The person behind it, as the audit log names them; absent where no person is. */
  readonly person?: Named;
  /** The browser session that it is, or was issued in. */
  readonly sessionId?: string;
  /** Present for a credential of a kind that is on its way out. */
  readonly deprecated?: Deprecated;
  /** Present for a key that a service elsewhere keeps: no row of ours tells of it. */
  readonly keptElsewhere?: KeptElsewhere;
  readonly tier: Tier;
  readonly alpha: boolean;
  /** When the credential ends by itself, in milliseconds since 1970. */
  readonly endsAt?: number;
  /**
   * Until when the word of a service elsewhere on it is believed, in milliseconds since 1970; absent where it is ours.
   */
  readonly believedUntil?: number;
  /** The addresses that it is for; without it, for all. */
  readonly audience?: readonly string[];
  /** What a person gave to the program that calls; absent where no program calls. */
  readonly oauthGrantId?: string;
}

/** What the log says of each request. No field of it has to be hidden. */
export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly ms: number;
  /** Where the request came from. */
  readonly ip: string;
  readonly organizationId: number | undefined;
  readonly principal: string | undefined;
  /** The trace that the caller follows it by. */
  readonly traceId?: string | undefined;
}

/** A line for the log, with fields. Secrets are redacted where it is written. */
export interface Log {
  request(line: RequestLine): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the process gives to every call. */
export interface Services {
  readonly store: Store;
  readonly ports: Ports;
  /** What is served, for the capabilities that tell of the others or call them. */
  readonly registry: Registry;
  readonly log: Log;
  /** Names this process in rows it is at work on. */
  readonly processId: string;
  readonly limits: Limits;
  readonly version: string;
  /** What the service is called where its operator has it named (setting BRAND). */
  readonly brand: string;
  /** The address callers use, without a slash at its end. */
  publicUrl(): string;
  /** The trace of the call that these are for, where its caller follows one: sellers are told of it. */
  readonly trace?: Trace | undefined;
  /** Aborted once the process was told to stop. */
  readonly stopping: AbortSignal;
  /** Aborted when such a stop has no more time: what is asked of others is cut, so that every caller is answered. */
  readonly closing: AbortSignal;
}

/** Runs the work in one transaction and writes the audit entry inside it. */
export type AuditedWrite = <T>(work: (tx: Db) => Promise<T>, subject: Subjects<T>) => Promise<T>;

/** Who acts: a caller through a tool, the operator at the command line, or the service itself. */
export interface Actor {
  readonly db: Db;
  /** The moment of the act, UTC, ISO 8601 with milliseconds. */
  readonly now: string;
  newId(prefix: string): string;
  readonly write: AuditedWrite;
}

/** An MCP server, as its address was narrowed. */
export interface CalledServer {
  readonly surface: McpSurface;
  /** True: nothing that changes anything may be called. */
  readonly readonly: boolean;
}

/** A call as its caller made it: what another person is asked to allow. */
export interface Asked {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Why, in the words of the caller. */
  readonly reason: string | null;
}

/** What another person allows: this, and nothing that came in its place since it was asked. */
export interface Allowed {
  /** The account that it was asked in. */
  readonly customerId: number;
  /** A fingerprint of what may be done. */
  readonly content: string;
  /** What it may come to at the most, in minor units. */
  readonly amountMinor: number;
  /**
   * Settles that it was used, inside the transaction that does it: a second time it throws. `keys` are those under
   * which it goes to sellers.
   */
  use(tx: Db, keys: readonly string[]): Promise<void>;
}

/** What a handler may use. Everything else is an argument. */
export interface Context extends Actor {
  readonly caller: Caller;
  readonly scope: Scope;
  /** True for a change by a caller whom a test key keeps in the sandbox. */
  readonly sandboxOnly: boolean;
  readonly services: Services;
  readonly requestId: string;
  /** Ends when the caller goes away. */
  readonly signal: AbortSignal;
  /** The MCP server that was called; undefined over REST. */
  readonly server: CalledServer | undefined;
  /** Calls another capability for the same caller, through the same gates; its raw input is not read yet. */
  passOn(tool: Tool, input: unknown): Promise<Answer>;
  /** Calls a capability as it was asked by somebody else, for whom this caller allows it; through the same gates. */
  allow(tool: Tool, input: unknown, allowed: Allowed): Promise<Answer>;
  /** What this call was allowed by a decision of its caller; undefined for every other call. */
  readonly allowed: Allowed | undefined;
  /** The question that a person behind the caller said yes to; undefined where nobody was asked. */
  readonly confirmed: Question | undefined;
  /** The call itself. */
  readonly asked: Asked;
  /** Writes with an audit entry inside a transaction that is open. */
  writeIn<T>(tx: Db, work: () => Promise<T>, subject: AuditSubject): Promise<T>;
  /** Refuses a change whose caller named another version of what it is about: asked again where it is held. */
  requireVersion(found: unknown): void;
  /** Marks what a change leaves, or a read that asked finds by then: its version goes out with the answer. */
  leaves<T>(row: T): T;
  /** Marks what a create gives back as found, not made. */
  existing<T>(record: T): T;
  /** Notes whose object was reached: a refusal is logged under that advertiser. */
  concerns?(advertiserId: number): void;
  /** Tells a caller who asked for progress how far the call is. */
  progress(done: number, total: number, message: string): void;
}
