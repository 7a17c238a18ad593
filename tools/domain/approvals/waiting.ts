import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import {
  findSpendLimit,
  insertSpendApproval,
  listUndecided,
  type SpendApprovalRow,
  updateSpendApproval,
} from '../../../store/spend-approvals.ts';
import type { Context } from '../../core/context.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { conflict, staleWrite } from '../../core/errors/refusals.ts';
import { momentAfter } from '../../core/moments.ts';
import { tellEvents } from '../events/telling.ts';
import { readMoney, toMajor } from '../money.ts';
import { peopleBehind } from './askers.ts';
import { spendApprovalKind } from './kinds.ts';
import { statusAt } from './machines.ts';
import { sayingWithdrawn } from './saying-withdrawn.ts';
import { type Done, withdrawDone } from './withdrawing.ts';

/** What a call would have a campaign hold, once it is known to the last order. */
export interface Spend {
  readonly advertiserId: number;
  readonly campaignId: string;
  /** Where it is about one media buy. */
  readonly mediaBuyId: string | null;
  /** Of the media buy where there is one, else of the campaign. */
  readonly revision: number;
  readonly currency: string;
  /** What the campaign holds with it, in minor units. */
  readonly amountMinor: number;
  /** What it would do, without ids and moments that are made anew each time. */
  readonly does: unknown;
  readonly done: Done;
  /** The keys of the orders and changes that go to sellers with it. */
  readonly keys: readonly string[];
  /** Holds what it is asked of until the transaction ends; refused where that is over, or another one by then. */
  hold(tx: Db): Promise<void>;
}

interface Above {
  readonly spend: Spend;
  readonly limitMinor: number;
  readonly content: string;
}

/** Takes back everything that its transaction wrote: nothing is bound, and nothing is on its way. */
class NeedsApproval extends AppError {
  readonly above: Above;

  constructor(above: Above) {
    const { spend, limitMinor } = above;
    const [amount, limit] = [spend.amountMinor, limitMinor].map((minor) => readMoney(minor, spend.currency));
    super('CONFLICT', `The campaign would hold ${amount}; above ${limit} another person has to allow it.`, {
      suggestion: 'Call campaign_execute, which asks for it, or spend less.',
    });
    this.above = above;
  }
}

interface Asking {
  readonly currency: string;
  spendOf(): Promise<Spend>;
  /** Binds the money, or refuses it. */
  bind(): Promise<void>;
}

/**
 * To be called in the transaction that binds money, before it is bound. Above the limit of the organization nothing
 * of the transaction is kept: `orWait` around it asks another person. Where that person allows it with this very
 * call, it has to be what was asked for, and the decision is used up in the same transaction.
 */
export async function requireAllowed(
  tx: Db,
  ctx: Context,
  { currency, spendOf, bind }: Asking,
): Promise<void> {
  const limit = await findSpendLimit(tx, ctx.scope, currency);
  if (limit === undefined && ctx.allowed === undefined) return;
  const spend = await spendOf();
  const content = contentOf(ctx, spend);
  if (ctx.allowed !== undefined) {
    const { allowed } = ctx;
    if (allowed.content !== content || allowed.amountMinor < spend.amountMinor) throw changedSinceAsked();
    return allowed.use(tx, spend.keys);
  }
  if (limit === undefined || spend.amountMinor <= limit.limit_minor) return;
  // Nobody is asked to allow what cannot be paid for. What is bound here is taken back with all the rest.
  await bind();
  throw new NeedsApproval({ spend, limitMinor: limit.limit_minor, content });
}

/** Whether it was refused only because another person has to allow it first. */
export function needsApproval(thrown: unknown): thrown is AppError {
  return thrown instanceof NeedsApproval;
}

/** Without the sum, which falls while it waits: by what a daily cap lets through, by late figures of other orders. */
function contentOf({ asked, services }: Context, spend: Spend, tool = asked.tool): string {
  const { campaignId, mediaBuyId, currency, does } = spend;
  return services.ports.digest(JSON.stringify([tool, campaignId, mediaBuyId, currency, does]));
}

function changedSinceAsked() {
  return conflict(
    'What it would spend, or buy, is not what was asked for any more: nothing was done.',
    'Reject it with spend_approval_reject, and have it asked for again as it is now.',
  );
}

/** What was done, or the approval that it waits for. */
export type OrWaiting<T> = (
  | { readonly done: T; readonly waits?: never }
  | { readonly waits: SpendApprovalRow; readonly done?: never }
) & {
  /** Of what was asked before that it took the place of that, in words. */
  readonly withdrawn: readonly string[];
};

/** Does the work; where it is above the limit nothing of it is done, and another person is asked. */
export async function orWait<T>(
  ctx: Context,
  campaignId: string,
  work: () => Promise<T>,
): Promise<OrWaiting<T>> {
  const { done: come, withdrawn } = await sayingWithdrawn(ctx, campaignId, async () => {
    try {
      return { done: await work() };
    } catch (thrown) {
      if (!(thrown instanceof NeedsApproval)) throw thrown;
      return { waits: await ask(ctx, thrown.above) };
    }
  });
  return { ...come, withdrawn };
}

/** Asked twice for the same it is one question, of all who asked. What was asked before in its place is withdrawn. */
async function ask(ctx: Context, above: Above): Promise<SpendApprovalRow> {
  const { spend } = above;
  const { row } = await ctx.write(
    async (tx) => {
      // Nothing is held since the refusal: what was called off or bought meanwhile has nobody asked for it.
      await spend.hold(tx);
      const people = await peopleBehind(tx, ctx.caller);
      const waiting = (await listUndecided(tx, ctx.scope, spend.campaignId)).filter(
        (one) => statusAt(one, ctx.now) === 'pending',
      );
      const same = waiting.find(
        (one) => one.content === above.content && one.amount_minor >= spend.amountMinor,
      );
      if (same !== undefined) return { row: await askedAlso(tx, ctx, { same, people }), before: same };
      // The same spend by another capability: who asked for it that way has asked for it.
      const earlier = waiting.filter((one) => one.content === contentOf(ctx, spend, one.tool));
      const askers = together([people, ...earlier.map(({ asked_for }) => fromJson(asked_for))]);
      await withdrawDone(tx, ctx.scope, { campaignId: spend.campaignId, done: spend.done, now: ctx.now });
      const made = await insertSpendApproval(tx, ctx.scope, newApproval(ctx, above, askers));
      await tell(tx, made, spend);
      return { row: made };
    },
    ({ row: stored, before }) => asking(ctx, stored, before),
  );
  return row;
}

/** Who asks for what waits already is kept from allowing it, as who asked first. */
async function askedAlso(
  tx: Db,
  { scope, now }: Context,
  { same, people }: { readonly same: SpendApprovalRow; readonly people: readonly number[] },
): Promise<SpendApprovalRow> {
  const before = fromJson(same.asked_for);
  const askers = together([before, people]);
  if (askers.length === before.length) return same;
  const { id, version } = same;
  const set = { asked_for: toJson(askers), updated_at: now };
  const row = await updateSpendApproval(tx, scope, { id, version, set });
  // Somebody decided it meanwhile: it is asked for anew, where it is still wanted.
  if (row === undefined) throw staleWrite(spendApprovalKind);
  return row;
}

function together(people: readonly (readonly number[])[]): number[] {
  return [...new Set(people.flat())].sort((one, other) => one - other);
}

/** What the log says of who asked; nothing where that was known. */
function asking({ caller }: Context, stored: SpendApprovalRow, before?: SpendApprovalRow) {
  if (stored === before) return undefined;
  const { id: resourceId, advertiser_id: advertiserId, currency } = stored;
  const subject = { kind: spendApprovalKind, resourceId, advertiserId };
  if (before !== undefined) {
    const changes = { askedBy: { from: before.asked_by, to: caller.principal } };
    return { ...subject, action: 'UPDATE' as const, changes };
  }
  const amount = { from: null, to: readMoney(stored.amount_minor, currency) };
  const limit = { from: null, to: readMoney(stored.limit_minor, currency) };
  return { ...subject, action: 'CREATE' as const, changes: { amount, limit } };
}

function newApproval(ctx: Context, { spend, limitMinor, content }: Above, askers: readonly number[]) {
  const { asked, caller, now, services } = ctx;
  return {
    id: ctx.newId('apr'),
    advertiser_id: spend.advertiserId,
    campaign_id: spend.campaignId,
    media_buy_id: spend.mediaBuyId,
    tool: asked.tool,
    input: toJson(asked.input),
    content,
    amount_minor: spend.amountMinor,
    limit_minor: limitMinor,
    currency: spend.currency,
    state: 'pending' as const,
    asked_by: caller.principal,
    asked_by_name: caller.name,
    asked_for: toJson(askers),
    reason: asked.reason,
    decided_by_user_id: null,
    decided_by_name: null,
    decision_reason: null,
    decided_at: null,
    outcome: null,
    expires_at: momentAfter(now, services.limits.approvalMs),
    version: 1,
    created_at: now,
    updated_at: now,
  };
}

/** Whoever follows the account hears that somebody is waited for, with the approval that tells the rest. */
function tell(tx: Db, made: SpendApprovalRow, { campaignId, mediaBuyId, revision }: Spend): Promise<void> {
  const amount = toMajor(made.amount_minor, made.currency);
  const fields = {
    campaignId,
    ...(mediaBuyId === null ? {} : { mediaBuyId }),
    revision,
    changes: { approval: { from: null, to: 'pending' }, amount: { from: null, to: amount } },
    waitsFor: 'person' as const,
    approvalId: made.id,
  };
  return tellEvents(tx, made, { told: [{ event: 'approval.needed', fields }], now: made.created_at });
}

/** Whether a person is behind what was asked. */
export function isBehind({ asked_for }: SpendApprovalRow, userId: number): boolean {
  return fromJson(asked_for).includes(userId);
}
