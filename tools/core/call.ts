import { owedTerms } from '../../store/terms.ts';
import { refusal, unconfined } from './access.ts';
import { writeRefused } from './audit.ts';
import { refusalFor } from './boundary.ts';
import { type Answer, type Attempt, actOf, CallContext, type Exchange } from './call-context.ts';
import { isFields } from './checks.ts';
import type { Caller, Context, Services } from './context.ts';
import { mutates, onlyReads, type Tool } from './define.ts';
import { AppError } from './errors/app-error.ts';
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
  confined: unconfined,
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
    const caller = admit(tool, exchange, exchange.from.caller);
    const input = parseInput(tool, await exchange.read());
    attempt.input = input;
    attempt.askAgain = async (now) => {
      await tool.find?.(new CallContext(atTheDoor(attempt), admit(tool, exchange, now)), input);
    };
    const ctx = new CallContext(attempt, caller);
    const found = await tool.find?.(ctx, input);
    attempt.found = found;
    if (mutates(tool)) await requireTerms(ctx, tool);
    if (tool.alpha && !caller.alpha) throw alphaRequired(tool.title);
    const result = await tool.handler(ctx, input, found);
    // What a change did it tells even so: it was allowed when it was done.
    if (tool.effect === 'read') attempt.ended?.throwIfAborted();
    return { output: tool.output.parse(result), input, existed: attempt.existed };
  } catch (thrown) {
    throw await refused(attempt, endOf(attempt, thrown));
  }
}

/** What a wait that was ended came to: its reason, where the handler had nothing better to say. */
function endOf({ ended }: Attempt, thrown: unknown): unknown {
  return ended?.aborted && !(thrown instanceof AppError) ? ended.reason : thrown;
}

/** The same gates in front of a stream, which only reads. */
export async function openStream(services: Services, stream: Stream, exchange: Exchange) {
  const attempt: Attempt = { services, tool: stream, exchange, input: null, existed: false, call };
  try {
    const question = { ...stream, effect: 'read' as const };
    const caller = admit(question, exchange, exchange.from.caller);
    const input = parseInput(stream, await exchange.read());
    attempt.askAgain = async (now) => {
      await stream.open(new CallContext(atTheDoor(attempt), admit(question, exchange, now)), input);
    };
    return await stream.open(new CallContext(attempt, caller), input);
  } catch (thrown) {
    throw await refused(attempt, thrown);
  }
}

/** `exchange`: what the caller came by; asked again, the caller may be another. */
function admit(
  tool: Pick<Tool, 'access' | 'effect' | 'surface' | 'asksOnly'>,
  { server }: Exchange,
  caller: Caller | null,
): Caller {
  const refused = refusal(tool, caller);
  if (refused !== undefined) throw refused;
  if (server?.readonly && !onlyReads(tool)) throw readOnlyAddress();
  return caller ?? NOBODY;
}

/** The attempt as it was before anything waited: whoever asks for its object again waits for nothing. */
function atTheDoor(attempt: Attempt): Attempt {
  return { ...attempt, askAgain: undefined, ended: undefined };
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

/** The advertiser that a refused change was about: of the object that was found, or the one that was named. */
function advertiserOf({ input, found }: Attempt): number | undefined {
  const ofFound = isFields(found) ? found['advertiser_id'] : undefined;
  const named = input?.['advertiserId'];
  const id = ofFound ?? named;
  return typeof id === 'number' ? id : undefined;
}

async function recordRefusal(attempt: Attempt, caller: Caller, error: AppError): Promise<void> {
  const { services, exchange } = attempt;
  const act = actOf(attempt, caller, nowOf(services.ports.clock));
  if (act === undefined) return;
  try {
    await writeRefused(services.store.db, act, { error, advertiserId: advertiserOf(attempt) });
  } catch (cause) {
    services.log.error({ err: cause, requestId: exchange.from.requestId }, 'audit entry lost');
  }
}
