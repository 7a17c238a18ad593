import { owedTerms } from '../../store/terms.ts';
import { refusal } from './access.ts';
import { writeRefused } from './audit.ts';
import { refusalFor } from './boundary.ts';
import { type Answer, type Attempt, actOf, CallContext, type Exchange } from './call-context.ts';
import type { Caller, Context, Services } from './context.ts';
import { mutates, onlyReads, type Tool } from './define.ts';
import type { AppError } from './errors/app-error.ts';
import { isCommon } from './errors/catalogue.ts';
import { alphaRequired, readOnlyAddress, termsRequired } from './errors/refusals.ts';
import { nowOf } from './moments.ts';
import type { Stream } from './streams.ts';
import { parseInput } from './validation.ts';

/** What the log says when a capability answers a code that its definition does not list. */
export const UNDECLARED = 'undeclared error code';

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
 * agent nobody claimed (403), may it (403), may this address (403), the input (400), the object and whose it is (404, 403), terms
 * (403), alpha (403); then the handler, with governance, pricing and spend (409, 402). A refused mutation
 * changes nothing and is in the audit log.
 */
export async function call(services: Services, tool: Tool, exchange: Exchange): Promise<Answer> {
  const attempt: Attempt = { services, tool, exchange, input: null, existed: false, call };
  try {
    const caller = admit(tool, exchange);
    const input = parseInput(tool, await exchange.read());
    attempt.input = input;
    const ctx = new CallContext(attempt, caller);
    const found = await tool.find?.(ctx, input);
    if (mutates(tool)) await requireTerms(ctx, tool);
    if (tool.alpha && !caller.alpha) throw alphaRequired(tool.title);
    const result = await tool.handler(ctx, input, found);
    return { output: tool.output.parse(result), input, existed: attempt.existed };
  } catch (thrown) {
    throw await refused(attempt, thrown);
  }
}

/** The same gates in front of a stream, which only reads. */
export async function openStream(services: Services, stream: Stream, exchange: Exchange) {
  const attempt: Attempt = { services, tool: stream, exchange, input: null, existed: false, call };
  try {
    const caller = admit({ ...stream, effect: 'read' }, exchange);
    const input = parseInput(stream, await exchange.read());
    return await stream.open(new CallContext(attempt, caller), input);
  } catch (thrown) {
    throw await refused(attempt, thrown);
  }
}

function admit(tool: Pick<Tool, 'access' | 'effect' | 'surface' | 'asksOnly'>, exchange: Exchange): Caller {
  const refused = refusal(tool, exchange.from.caller);
  if (refused !== undefined) throw refused;
  if (exchange.server?.readonly && !onlyReads(tool)) throw readOnlyAddress();
  return exchange.from.caller ?? NOBODY;
}

/** Interface, Authentication rule 8: without the governing organization's acceptance no mutation passes. */
async function requireTerms(ctx: Context, tool: Tool): Promise<void> {
  if (tool.access.kind === 'open' || tool.access.beforeTerms) return;
  const owed = await owedTerms(ctx.db, ctx.scope, ctx.now);
  if (owed !== undefined) throw termsRequired(owed);
}

async function refused(attempt: Attempt, thrown: unknown): Promise<AppError> {
  const { services, tool, exchange } = attempt;
  const { caller, requestId } = exchange.from;
  const error = refusalFor(thrown, services.log, { requestId, tool: tool.name, doing: 'call' });
  const passedOn = 'passesOn' in tool && tool.passesOn;
  if (!passedOn && !isCommon(error.code) && !tool.errors.includes(error.code)) {
    services.log.error({ tool: tool.name, code: error.code, requestId }, UNDECLARED);
  }
  if (caller !== null) await recordRefusal(attempt, caller, error);
  return error;
}

async function recordRefusal(attempt: Attempt, caller: Caller, error: AppError): Promise<void> {
  const { services, exchange } = attempt;
  const act = actOf(attempt, caller, nowOf(services.ports.clock));
  if (act === undefined) return;
  try {
    await writeRefused(services.store.db, act, error);
  } catch (cause) {
    services.log.error({ err: cause, requestId: exchange.from.requestId }, 'audit entry lost');
  }
}
