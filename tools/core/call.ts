import { owedTerms } from '../../store/terms.ts';
import { refusal, unconfined } from './access.ts';
import { besideInput, inputAlone, withoutNullsBeside } from './beside-input.ts';
import { refusalFor } from './boundary.ts';
import { type Answer, type Attempt, CallContext, type Exchange } from './call-context.ts';
import { type Ask, askConsent, covers, Unanswered } from './consent.ts';
import type { Caller, Context, Services } from './context.ts';
import { errorsOf, mutates, onlyReads, type Tool } from './define.ts';
import { AppError } from './errors/app-error.ts';
import { isCommon } from './errors/catalogue.ts';
import { alphaRequired, changedWhileAsked, readOnlyAddress, termsRequired } from './errors/refusals.ts';
import { withModelDefaults } from './model-defaults.ts';
import { namedBeforehand } from './named-object.ts';
import { recordRefusal } from './refused-calls.ts';
import { keyedCall } from './repeat-keys.ts';
import { answerOnce } from './repeats.ts';
import { readOutput } from './schemas/schema-readers.ts';
import { requireAsShown, withCurrent } from './stale-writes.ts';
import type { Opened, Stream } from './streams.ts';
import { asGiven, parseInput } from './validation.ts';
import { expectedBy, versionOf } from './versions.ts';

/** The outcome of a call that nothing refused, as it is counted. */
const DONE = 'ok';

/** Where the terms are read, and accepted, where the operator names no other place. */
const TERMS_PAGE = '/terms';

/** What the log says when a capability answers a code that its definition does not list. */
export const UNDECLARED = 'undeclared error code';

/** Nobody: the caller of a tool that is open to all. Its scope matches no row. */
const NOBODY: Caller = {
  kind: 'anonymous_agent',
  principal: 'nobody',
  name: 'nobody',
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
 * agent nobody claimed (403), may it (403), may this address (403), the input (400), the object and whose it is (404,
 * 403), terms (403), alpha (403); then the handler, with governance, pricing and spend (409, 402). A refused mutation
 * changes nothing and is in the audit log.
 */
export async function call(services: Services, tool: Tool, exchange: Exchange): Promise<Answer> {
  const attempt: Attempt = { services, tool, exchange, input: null, existed: false, call };
  try {
    attempt.raw = namedBeforehand(tool, exchange);
    const caller = admit(tool, exchange, exchange.from.caller);
    const given = withModelDefaults(tool, exchange.server, await exchange.read());
    const raw = withoutNullsBeside(tool, exchange, given);
    attempt.raw = raw;
    const keyed = tool.effect === 'read' ? undefined : keyedCall(exchange, tool.name, raw);
    const alone = inputAlone(attempt, tool, keyed === undefined ? raw : keyed.raw);
    const input = parseInput(tool, alone, () => besideInput(tool, exchange, raw));
    attempt.input = input;
    if (tool.effect !== 'read') attempt.expected ??= expectedBy(exchange, tool);
    attempt.askAgain = async (now) => {
      const again = admit(tool, exchange, now);
      await tool.find?.(new CallContext(atTheDoor(attempt), again), input);
      requireAlpha(tool, again);
      attempt.callerNow = again;
    };
    if (keyed === undefined || tool.effect === 'read') {
      const ctx = await consented(attempt, tool, await passGates(attempt, tool, { caller, input }));
      return counted(attempt, await performed(attempt, tool, { ctx, input }));
    }
    const answer = await answerOnce({
      attempt,
      tool,
      caller,
      keyed,
      input,
      pass: () => reached(attempt, tool, { caller, input }),
      requireVersion: (ctx) => requireNamed(attempt, tool, { ctx, input }),
      consented: async (ctx) => consented(attempt, tool, ctx),
      perform: (ctx) => performed(attempt, tool, { ctx, input }),
    });
    return counted(attempt, answer);
  } catch (thrown) {
    if (thrown instanceof Unanswered) throw thrown;
    const error = await refused(attempt, endOf(attempt, thrown));
    throw error.stale ? await withCurrent(error, attempt.input, { services, tool, exchange, call }) : error;
  }
}

function counted({ services, tool, exchange }: Attempt, answer: Answer): Answer {
  services.ports.tally.call(tool.name, DONE, exchange.server);
  return answer;
}

interface Given {
  readonly caller: Caller;
  readonly input: Answer['input'];
}

interface Reached {
  readonly ctx: CallContext;
  readonly input: Answer['input'];
}

async function passGates(attempt: Attempt, tool: Tool, given: Given): Promise<CallContext> {
  const ctx = await reached(attempt, tool, given);
  // Most calls name nothing that has to be read for it.
  if (attempt.exchange.ifMatch === undefined) ctx.requireVersion(attempt.found);
  else await requireNamed(attempt, tool, { ctx, input: given.input });
  return ctx;
}

/** What its caller has read has to hold: the version of the object, or the whole answer where it counts none. */
async function requireNamed(attempt: Attempt, tool: Tool, { ctx, input }: Reached): Promise<void> {
  const { services, exchange } = attempt;
  if (!(await requireAsShown(input, { services, tool, exchange, call }))) ctx.requireVersion(attempt.found);
}

/** The object and whose it is, the terms, alpha. */
async function reached(attempt: Attempt, tool: Tool, { caller, input }: Given): Promise<CallContext> {
  const ctx = new CallContext(attempt, caller);
  attempt.found = await tool.find?.(ctx, input);
  if (mutates(tool)) await requireTerms(ctx, tool);
  requireAlpha(tool, caller);
  return ctx;
}

async function performed(attempt: Attempt, tool: Tool, { ctx, input }: Reached): Promise<Answer> {
  const result = await tool.handler(ctx, input, attempt.found);
  // What a change did it tells even so: it was allowed when it was done.
  if (tool.effect === 'read') attempt.ended?.throwIfAborted();
  const output = readOutput(tool.output, result);
  if (attempt.replayed) return { output, input, existed: false, replayed: true };
  // Asking may have brought news of what was found.
  const version = attempt.version ?? (tool.effect === 'read' ? versionOf(attempt.found) : undefined);
  return { output, input, existed: attempt.existed, version };
}

/** Asks where a person has to be asked, and waits for nothing where nobody can be. */
function consented(attempt: Attempt, tool: Tool, ctx: CallContext): CallContext | Promise<CallContext> {
  const { ask } = attempt.exchange;
  const { question } = tool;
  return ask === undefined || question === undefined
    ? ctx
    : askedFirst(attempt, tool, { ctx, ask, question });
}

interface Asking {
  readonly ctx: CallContext;
  readonly ask: Ask;
  readonly question: NonNullable<Tool['question']>;
}

/** Afterwards it is later: every gate is passed again, by what the caller is then. */
async function askedFirst(
  attempt: Attempt,
  tool: Tool,
  { ctx, ask, question }: Asking,
): Promise<CallContext> {
  const { input, found } = attempt;
  const asked = input === null ? undefined : await question(ctx, input, found);
  if (input === null || asked === undefined) return ctx;
  // Who may not go on is told why, and not that nobody answered.
  const answered = askConsent(ctx, { ask, title: tool.title, question: asked });
  await answered.finally(() => attempt.ended?.throwIfAborted());
  const later = await passGates(attempt, tool, { caller: attempt.callerNow ?? ctx.caller, input });
  const now = await question(later, input, attempt.found);
  if (!covers(asked, now)) throw changedWhileAsked({ confirmed: asked.text, now: now?.text ?? null });
  // Whoever stores what was asked about holds it against this once more.
  later.confirmed = asked;
  return later;
}

/** What a wait that was ended came to: its reason, where the handler had nothing better to say. */
function endOf({ ended }: Attempt, thrown: unknown): unknown {
  return ended?.aborted && !(thrown instanceof AppError) ? ended.reason : thrown;
}

/** The same gates in front of a stream, which only reads. Undefined where nothing will ever follow. */
export async function openStream(services: Services, stream: Stream, exchange: Exchange) {
  const attempt: Attempt = { services, tool: stream, exchange, input: null, existed: false, call };
  try {
    const question = { ...stream, effect: 'read' as const };
    const caller = admit(question, exchange, exchange.from.caller);
    const input = parseInput(stream, await exchange.read());
    const ctx = new CallContext(attempt, caller);
    attempt.askAgain = async (now) => {
      const again = new CallContext(atTheDoor(attempt), admit(question, exchange, now));
      await stream.open(again, input);
      // What comes from now on is for what the caller is now.
      ctx.scope = again.scope;
    };
    const frames = await stream.open(ctx, input);
    services.ports.tally.call(stream.name, DONE, exchange.server);
    // However little a stream has to send, its reader may take long over it, and is looked after meanwhile.
    return frames && ({ frames, signal: ctx.signal } satisfies Opened);
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

function requireAlpha({ alpha, title }: Tool, caller: Caller): void {
  if (alpha && !caller.alpha) throw alphaRequired(title);
}

/** Interface, Authentication rule 8: without the governing organization's acceptance no mutation passes. */
async function requireTerms(ctx: Context, tool: Tool): Promise<void> {
  // The operator asks an organization to accept them, and is bound by none.
  if (tool.access.kind === 'open' || tool.access.beforeTerms || ctx.caller.kind === 'operator') return;
  const owed = await owedTerms(ctx.db, ctx.scope, ctx.now);
  if (owed === undefined) return;
  const tosUrl = owed.tosUrl ?? `${ctx.services.publicUrl()}${TERMS_PAGE}`;
  throw termsRequired({ ...owed, tosUrl }, ctx.scope.organizationId);
}

async function refused(attempt: Attempt, thrown: unknown): Promise<AppError> {
  const { services, tool, exchange, input } = attempt;
  const { caller, requestId } = exchange.from;
  const found = refusalFor(thrown, services.log, { requestId, tool: tool.name, doing: 'call' });
  const error = asGiven(found, input);
  services.ports.tally.call(tool.name, error.code, exchange.server);
  const passedOn = 'passesOn' in tool && tool.passesOn;
  const declared = 'effect' in tool ? errorsOf(tool) : tool.errors;
  if (!passedOn && !isCommon(error.code) && !declared.includes(error.code)) {
    services.log.error({ tool: tool.name, code: error.code, requestId }, UNDECLARED);
  }
  if (caller !== null) await recordRefusal(attempt, caller, error);
  return error;
}
