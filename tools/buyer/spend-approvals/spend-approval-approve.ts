import { z } from 'zod';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import {
  noteSpendOutcome,
  type SpendApprovalRow,
  type SpendOutcome,
  type SpendSent,
  updateSpendApproval,
} from '../../../store/spend-approvals.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool, type Tool } from '../../core/define.ts';
import { conflict, staleWrite } from '../../core/errors/refusals.ts';
import { tellDecision } from '../../domain/approvals/deciding.ts';
import { spendApprovalKind } from '../../domain/approvals/kinds.ts';
import { outcomeOf } from './outcome.ts';
import { reachApproval } from './reach.ts';
import { approvalId, decided, decision, requireDecidable, spendApproval } from './record.ts';
import { spendApprovalShown } from './shown-approvals.ts';

export const spendApprovalApprove = defineTool({
  name: 'spend_approval_approve',
  title: 'Approve spend',
  example: { approvalId: 'apr_example' },
  description:
    'Allows a spend above the limit of the organization, and does it: its orders or changes go to the sellers with ' +
    'this call, once, and outcome says whether they took them. For another person than who asked. Where it is not ' +
    'what was asked any more, nothing is done.',
  effect: 'act',
  restOnly: true,
  openWorld: true,
  passesOn: true,
  audit: { kind: spendApprovalKind, ofInput: (input) => input.approvalId },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'POST', path: '/spend-approvals/{approvalId}/approve' },
  input: z.strictObject({ approvalId }),
  output: spendApproval,
  errors: ['NOT_FOUND', 'CONFLICT', 'CREDIT_LIMIT_EXCEEDED', 'PRICING_NOT_CONFIGURED'],
  find: (ctx, input) => reachApproval(ctx, input.approvalId),
  handler: async (ctx, _, found) => {
    // Allowed once, it is done: allowing it again does nothing.
    if (found.state === 'approved') return spendApprovalShown(ctx, found);
    const state = requireDecidable(ctx, found, 'approve');
    return spendApprovalShown(ctx, await doAllowed(ctx, { found, state }));
  },
});

/** What is allowed, and the state that this leads to. */
interface Allowed {
  readonly found: SpendApprovalRow;
  readonly state: SpendApprovalRow['state'];
}

/** Calls again what was asked. The decision is stored by the transaction that does it, or neither is. */
async function doAllowed(ctx: Context, allowed: Allowed): Promise<SpendApprovalRow> {
  const { found } = allowed;
  const stored: SpendApprovalRow[] = [];
  const { customer_id: customerId, content, amount_minor: amountMinor, reason } = found;
  const input = { ...fromJson(found.input), ...(reason === null ? {} : { reason }) };
  const { output } = await ctx.allow(toolOf(ctx, found), input, {
    customerId,
    content,
    amountMinor,
    use: async (tx, keys) => {
      stored.push(await approve(tx, ctx, { ...allowed, keys }));
    },
  });
  const row = stored.at(-1);
  if (row !== undefined) return withOutcome(ctx, row, outcomeOf(output));
  throw conflict(
    'Nothing is left to spend: it was done, or called off, meanwhile.',
    'Reject it with spend_approval_reject.',
  );
}

/**
 * Kept with the decision, for who looks later. It was done: where it cannot be kept, it is told even so, and later from
 * what went to the sellers.
 */
async function withOutcome(
  { db, scope, services }: Context,
  row: SpendApprovalRow,
  told: SpendOutcome,
): Promise<SpendApprovalRow> {
  const outcome = toJson(told);
  try {
    await noteSpendOutcome(db, scope, { id: row.id, outcome });
  } catch (err) {
    services.log.error({ err, approvalId: row.id }, 'what came of an approved spend could not be stored');
  }
  return { ...row, outcome };
}

function approve(
  tx: Db,
  ctx: Context,
  { found, state, keys }: Allowed & SpendSent,
): Promise<SpendApprovalRow> {
  const { id, version } = found;
  const write = async () => {
    const set = { ...decision(ctx, state), outcome: toJson<SpendSent>({ keys }) };
    const row = await updateSpendApproval(tx, ctx.scope, { id, version, set });
    if (row === undefined) throw staleWrite(spendApprovalKind);
    await tellDecision(tx, row, { from: 'pending', now: ctx.now });
    return row;
  };
  return ctx.writeIn(tx, write, decided({ ...found, state }));
}

function toolOf({ services }: Context, { tool: name }: SpendApprovalRow): Tool {
  const tool = services.registry.tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  throw conflict(
    `${name} is not served any more.`,
    'Reject it with spend_approval_reject, and have it asked for anew.',
  );
}
