import type { Db, Store } from '../../store/engine/db.ts';
import type { Scope } from '../../store/engine/scope.ts';
import { boundsOn } from './access.ts';
import { type AuditSubject, type Subjects, writeAudited, writeAuditedIn } from './audit.ts';
import { actOf, changes, saidOf } from './audited-calls.ts';
import type { Ask, Question } from './consent.ts';
import type { Allowed, Asked, CalledServer, Caller, Context, Services } from './context.ts';
import type { Tool } from './define.ts';
import { momentOf } from './moments.ts';
import { scopeFor } from './scope-for.ts';
import type { Stream } from './streams.ts';
import type { Trace } from './traces.ts';
import { type Expected, unmet, versionOf } from './versions.ts';

/** Whom a call comes from, as its adapter knows it. */
export interface Visitor {
  /** Null without a credential. */
  readonly caller: Caller | null;
  readonly requestId: string;
  readonly ip: string | null;
  /** By which the visitor follows what becomes of it. */
  readonly trace?: Trace | undefined;
  /** Ends when the visitor goes away. */
  readonly signal: AbortSignal;
  /** Has the question of the door asked again while the visitor waits; aborted with the refusal, if there is one. */
  attend?(askAgain: (caller: Caller) => Promise<void>): AbortSignal | undefined;
  /** Takes a place for a call that costs much; throws SERVICE_UNAVAILABLE where the service is behind. */
  makeRoom?(tool: Tool): void;
}

/** One call on its way through the gates, as its adapter hands it over. */
export interface Exchange {
  readonly from: Visitor;
  /** The raw input. Read after the caller is known and allowed; throws BAD_REQUEST when unreadable. */
  read(): unknown;
  /** What is there of the input before it is read: what the address says, and over MCP all of it. */
  beforehand?(): Readonly<Record<string, unknown>>;
  /** The MCP server that was called. */
  readonly server?: CalledServer | undefined;
  progress?(done: number, total: number, message: string): void;
  /** Asks the person behind the caller; absent where nobody can be asked. */
  readonly ask?: Ask | undefined;
  /** The key of a change that came as a header, and what keys of this address belong to. */
  readonly keyHeader?: { readonly given: string; place(): string } | undefined;
  /** The versions that a change may be made on, as the header says them. */
  readonly ifMatch?: string | undefined;
  /** What another person allows with this call. */
  readonly allowed?: Allowed | undefined;
}

export interface Answer {
  readonly output: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
  /** True when a create found what it was to make: 200 instead of 201. */
  readonly existed: boolean;
  /** The version of the object that was read, or that a change left. */
  readonly version?: number | undefined;
  /** True for the answer to an earlier call under the same key: nothing was done now. */
  readonly replayed?: true;
}

/** Where a call that was given a key reads and writes. */
export interface Deed {
  readonly db: Db;
  transaction: Store['transaction'];
  /** Told of each write that changed something, in its transaction. */
  wrote?(tx: Db, subject: AuditSubject): Promise<void>;
}

/** A call while it is made. */
export interface Attempt {
  readonly services: Services;
  readonly tool: Tool | Stream;
  readonly exchange: Exchange;
  /** The input as it came; of one that is not or cannot be read, what was there beforehand. */
  raw?: unknown;
  /** The parsed input, once there is one. */
  input: Readonly<Record<string, unknown>> | null;
  /** True when a create found what it was to make. */
  existed: boolean;
  /** What the call is about, once it is found. */
  found?: unknown;
  /** The advertiser of the first object that was reached, also where the look-up of another one was refused. */
  concerned?: number;
  /** Asks the gates in front of the handler again, for what the caller is now. */
  askAgain?: ((caller: Caller) => Promise<void>) | undefined;
  /** What the caller is, where it was asked about again since. */
  callerNow?: Caller | undefined;
  /** Aborted with the refusal of a caller that was let in and may not go on. */
  ended?: AbortSignal | undefined;
  /** The version that the change left. */
  version?: number | undefined;
  /** The versions that the caller would change. */
  expected?: Expected | undefined;
  /** Why the caller makes the change, in its own words. */
  reason?: string;
  /** True when the call that was passed on was answered as an earlier one. */
  replayed?: true | undefined;
  /** Present while a change under a key is made. */
  deed?: Deed | undefined;
  /** The way through the gates, for calls that this one passes on. */
  readonly call: (services: Services, tool: Tool, exchange: Exchange) => Promise<Answer>;
}

export class CallContext implements Context {
  readonly caller: Caller;
  /** Of a stream, what its caller may see by now. */
  scope: Scope;
  readonly sandboxOnly: boolean;
  confirmed: Question | undefined;
  readonly #at: number;
  #db: Db | undefined;
  #signal: AbortSignal | undefined;
  readonly #attempt: Attempt;
  readonly #services: Services;

  constructor(attempt: Attempt, caller: Caller) {
    this.caller = caller;
    this.scope = scopeFor(caller, attempt.tool.surface);
    this.sandboxOnly = changes(attempt.tool) && boundsOn(attempt.tool.surface, caller).includes('sandbox');
    this.#at = attempt.services.ports.clock.now();
    this.#attempt = attempt;
    const { trace } = attempt.exchange.from;
    this.#services = trace === undefined ? attempt.services : { ...attempt.services, trace };
  }

  get now(): string {
    return momentOf(this.#at);
  }

  get services(): Services {
    return this.#services;
  }

  get db(): Db {
    this.#db ??= this.#attempt.services.store.dbFor(this.scope);
    return this.#attempt.deed?.db ?? this.#db;
  }

  get requestId(): string {
    return this.#attempt.exchange.from.requestId;
  }

  /** Who asks for it is going to wait: from then on the caller is looked after. */
  get signal(): AbortSignal {
    this.#signal ??= this.#attend();
    return this.#signal;
  }

  #attend(): AbortSignal {
    const attempt = this.#attempt;
    const { from } = attempt.exchange;
    if (attempt.askAgain === undefined || from.caller === null) return from.signal;
    attempt.ended ??= from.attend?.(attempt.askAgain);
    return attempt.ended === undefined ? from.signal : AbortSignal.any([from.signal, attempt.ended]);
  }

  get server(): CalledServer | undefined {
    return this.#attempt.exchange.server;
  }

  async passOn(tool: Tool, input: unknown): Promise<Answer> {
    const { services, exchange, call } = this.#attempt;
    exchange.from.makeRoom?.(tool);
    const answer = await call(services, tool, { ...exchange, read: () => input });
    this.#attempt.replayed = answer.replayed;
    return answer;
  }

  /** The key is that of the decision, and so is the version; nobody is asked a second time. */
  async allow(tool: Tool, input: unknown, allowed: Allowed): Promise<Answer> {
    const { services, exchange, call } = this.#attempt;
    const from = workingIn(allowed.customerId, { from: exchange.from, caller: this.caller });
    return call(services, tool, { from, read: () => input, allowed });
  }

  get allowed(): Allowed | undefined {
    return this.#attempt.exchange.allowed;
  }

  get asked(): Asked {
    const { tool, input, reason } = this.#attempt;
    return { tool: tool.name, input: input ?? {}, reason: saidOf(input, reason).reason };
  }

  newId(prefix: string): string {
    return this.services.ports.ids.make(prefix);
  }

  write<T>(work: (tx: Db) => Promise<T>, subject: Subjects<T>): Promise<T> {
    const act = actOf(this.#attempt, this.caller, this.now);
    if (act === undefined) throw new Error(`${this.#attempt.tool.name} reads, and does not write.`);
    const { deed } = this.#attempt;
    const transaction: Store['transaction'] = (inside) => this.services.store.transaction(inside, this.scope);
    return writeAudited(deed ?? { transaction }, act, { work, subject, wrote: deed?.wrote });
  }

  writeIn<T>(tx: Db, work: () => Promise<T>, subject: AuditSubject): Promise<T> {
    const act = actOf(this.#attempt, this.caller, this.now);
    if (act === undefined) throw new Error(`${this.#attempt.tool.name} reads, and does not write.`);
    return writeAuditedIn(tx, act, { work, subject });
  }

  requireVersion(found: unknown): void {
    const { tool, expected } = this.#attempt;
    const { digest } = this.services.ports;
    const refused = changes(tool) ? unmet(tool, expected, { found, digest }) : undefined;
    if (refused !== undefined) throw refused;
  }

  leaves<T>(row: T): T {
    this.#attempt.version = versionOf(row);
    return row;
  }

  existing<T>(record: T): T {
    this.#attempt.existed = true;
    return record;
  }

  concerns(advertiserId: number): void {
    this.#attempt.concerned ??= advertiserId;
  }

  progress(done: number, total: number, message: string): void {
    this.#attempt.exchange.progress?.(done, total, message);
  }
}

/**
 * The same visitor in another account of the buyer. Each part by name: what a visit has is its class's, and a copy of
 * its own fields would go on when it leaves.
 */
function workingIn(buyer: number, { from, caller }: { from: Visitor; caller: Caller }): Visitor {
  const there = (one: Caller): Caller => ({ ...one, accounts: { ...one.accounts, buyer } });
  const { requestId, ip, trace } = from;
  return {
    ...{ caller: there(caller), requestId, ip, trace },
    get signal() {
      return from.signal;
    },
    attend: (askAgain) => from.attend?.((now) => askAgain(there(now))),
  };
}
