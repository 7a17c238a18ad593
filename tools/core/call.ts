import { insertAuditLog } from '../../store/audit-log.ts';
import type { Db } from '../../store/engine/db.ts';
import { makeScope, makeTenant, type Scope } from '../../store/engine/scope.ts';
import { owedTerms } from '../../store/terms.ts';
import { refusal } from './access.ts';
import { type AuditCall, type AuditSubject, auditEntry } from './audit.ts';
import type { Caller, Context, Services } from './context.ts';
import { mutates, type Stream, type Surface, type Tool } from './define.ts';
import { type AppError, alphaRequired, asAppError, termsRequired } from './errors.ts';
import { parseInput } from './validation.ts';

/** Whom a call comes from, as its adapter knows it. */
export interface Visitor {
  /** Null without a credential. */
  readonly caller: Caller | null;
  readonly requestId: string;
  readonly ip: string | null;
  /** Ends when the visitor goes away. */
  readonly signal: AbortSignal;
}

/** One call on its way through the gates, as its adapter hands it over. */
export interface Exchange {
  readonly from: Visitor;
  /** The raw input. Read after the caller is known and allowed; throws BAD_REQUEST when unreadable. */
  read(): unknown;
  progress?(done: number, total: number, message: string): void;
}

export interface Answer {
  readonly output: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
  /** True when a create found what it was to make: 200 instead of 201. */
  readonly existed: boolean;
}

/** Nobody: the caller of a tool that is open to all. Its scope matches no row. */
const NOBODY: Caller = {
  kind: 'anonymous_agent',
  principal: 'nobody',
  organizationId: 0,
  permissions: new Set(),
  accounts: { buyer: null, seller: null },
  advertiserIds: null,
  userId: null,
  tier: 'basic',
  alpha: false,
};

/**
 * The only way to a handler. The gates stand in this order for REST and MCP alike: who is it (401), is it an
 * agent nobody claimed (403), may it (403), the input (400), the object and whose it is (404, 403), terms
 * (403), alpha (403); then the handler, with governance, pricing and spend (409, 402). A refused mutation
 * changes nothing and is in the audit log.
 */
export async function call(services: Services, tool: Tool, exchange: Exchange): Promise<Answer> {
  const attempt: Attempt = { services, tool, exchange, input: null, existed: false };
  try {
    const caller = admit(tool, exchange);
    const input = parseInput(tool, await exchange.read());
    attempt.input = input;
    const ctx = new CallContext({ services, surface: tool.surface, exchange, caller, attempt });
    const found = await tool.find?.(ctx, input);
    if (mutates(tool)) await requireTerms(ctx, tool);
    if (tool.alpha && !caller.alpha) throw alphaRequired(tool.title);
    const result = await tool.handler(ctx, input, found);
    return { output: tool.output.parse(result), input, existed: attempt.existed };
  } catch (thrown) {
    throw await refused(attempt, asAppError(thrown));
  }
}

async function refused(attempt: Attempt, error: AppError): Promise<AppError> {
  const { tool, exchange } = attempt;
  if (error.code === 'INTERNAL_ERROR') report(attempt, error);
  if (mutates(tool) && exchange.from.caller !== null) {
    await recordRefusal(attempt, exchange.from.caller, error);
  }
  return error;
}

/** The same gates in front of a stream, which only reads. */
export async function openStream(services: Services, stream: Stream, exchange: Exchange) {
  const tool = { ...stream, effect: 'read' as const };
  const caller = admit(tool, exchange);
  const input = parseInput(stream, await exchange.read());
  return stream.open(new CallContext({ services, surface: stream.surface, exchange, caller }), input);
}

interface Attempt {
  readonly services: Services;
  readonly tool: Tool;
  readonly exchange: Exchange;
  /** The parsed input, once there is one. */
  input: Readonly<Record<string, unknown>> | null;
  existed: boolean;
}

function admit(tool: Pick<Tool, 'access' | 'effect' | 'surface'>, exchange: Exchange): Caller {
  const refused = refusal(tool, exchange.from.caller);
  if (refused !== undefined) throw refused;
  return exchange.from.caller ?? NOBODY;
}

/** Interface, Authentication rule 8: without the governing organization's acceptance no mutation passes. */
async function requireTerms(ctx: Context, tool: Tool): Promise<void> {
  if (tool.access.kind === 'open' || tool.access.beforeTerms) return;
  const owed = await owedTerms(ctx.db, ctx.scope, ctx.now);
  if (owed !== undefined) throw termsRequired(owed);
}

interface ContextParts {
  readonly services: Services;
  readonly surface: Surface;
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly attempt?: Attempt;
}

class CallContext implements Context {
  readonly caller: Caller;
  readonly scope: Scope;
  readonly services: Services;
  readonly #at: number;
  #now: string | undefined;
  readonly #exchange: Exchange;
  readonly #attempt: Attempt | undefined;

  constructor({ services, surface, exchange, caller, attempt }: ContextParts) {
    this.caller = caller;
    this.scope = scopeFor(caller, surface);
    this.services = services;
    this.#at = services.ports.clock.now();
    this.#exchange = exchange;
    this.#attempt = attempt;
  }

  get now(): string {
    this.#now ??= new Date(this.#at).toISOString();
    return this.#now;
  }

  get db(): Db {
    return this.services.store.db;
  }

  get requestId(): string {
    return this.#exchange.from.requestId;
  }

  get signal(): AbortSignal {
    return this.#exchange.from.signal;
  }

  newId(prefix: string): string {
    return this.services.ports.ids.make(prefix);
  }

  write<T>(work: (tx: Db) => Promise<T>, subject: AuditSubject | ((result: T) => AuditSubject)): Promise<T> {
    if (this.#attempt === undefined) throw new Error('A stream does not write.');
    return writeAudited({ attempt: this.#attempt, caller: this.caller, now: this.now }, work, subject);
  }

  existing<T>(record: T): T {
    if (this.#attempt !== undefined) this.#attempt.existed = true;
    return record;
  }

  progress(done: number, total: number, message: string): void {
    this.#exchange.progress?.(done, total, message);
  }
}

/** The account the caller works in on this surface. Nobody's account is 0, which no row has. */
function scopeFor(caller: Caller, surface: Surface): Scope {
  const { buyer, seller } = caller.accounts;
  const customerId = (surface === 'storefront' ? seller : buyer) ?? 0;
  return makeScope({
    organizationId: caller.organizationId,
    customerId,
    advertiserIds: surface === 'storefront' ? null : caller.advertiserIds,
  });
}

interface Writing {
  readonly attempt: Attempt;
  readonly caller: Caller;
  readonly now: string;
}

function writeAudited<T>(
  { attempt, caller, now }: Writing,
  work: (tx: Db) => Promise<T>,
  subject: AuditSubject | ((result: T) => AuditSubject),
): Promise<T> {
  return attempt.services.store.transaction(async (tx) => {
    const result = await work(tx);
    const about = typeof subject === 'function' ? subject(result) : subject;
    await insertAuditLog(
      tx,
      makeTenant(caller.organizationId),
      auditEntry(auditCall(attempt, caller, now), about, {
        outcome: 'succeeded',
        errorCode: null,
        description: attempt.tool.title,
      }),
    );
    return result;
  });
}

function auditCall({ tool, exchange, input }: Attempt, caller: Caller, now: string): AuditCall {
  const customerId = scopeFor(caller, tool.surface).customerId;
  return {
    tool,
    caller,
    customerId: customerId === 0 ? null : customerId,
    requestId: exchange.from.requestId,
    ip: exchange.from.ip,
    now,
    input,
  };
}

async function recordRefusal(attempt: Attempt, caller: Caller, error: AppError): Promise<void> {
  const { services } = attempt;
  const now = new Date(services.ports.clock.now()).toISOString();
  const entry = auditEntry(auditCall(attempt, caller, now), namedIn(attempt), {
    outcome: error.status >= 500 ? 'failed' : 'denied',
    errorCode: error.code,
    description: `${attempt.tool.title}: ${error.message}`.slice(0, 500),
  });
  try {
    await insertAuditLog(services.store.db, makeTenant(caller.organizationId), entry);
  } catch (cause) {
    services.log.error({ err: cause, requestId: attempt.exchange.from.requestId }, 'audit entry lost');
  }
}

/** The object a refused call named, if its input got as far as that: never one that it merely mentions. */
function namedIn({ tool, input }: Attempt): AuditSubject {
  const words = (tool.resource ?? '').toLowerCase().split('_');
  const fields = ['id', ...words.map((word) => `${word}Id`)];
  for (const field of fields) {
    const id = input?.[field];
    if (typeof id === 'string' || typeof id === 'number') return { resourceId: id };
  }
  return {};
}

function report({ services, tool, exchange }: Attempt, error: AppError): void {
  services.log.error(
    { err: error.cause, tool: tool.name, requestId: exchange.from.requestId },
    'call failed',
  );
}
