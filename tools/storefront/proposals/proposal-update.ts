import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { invalid } from '../../core/errors/refusals.ts';
import { writeUpdate } from '../../core/updating.ts';
import { readProposalSnapshot } from '../../domain/discovery/sessions/offer-snapshot.ts';
import { storefrontProposalKind } from '../../domain/discovery/sessions/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { longText, shortText } from '../../domain/text.ts';
import { changeAsRead, reachProposal } from './reach.ts';
import {
  expiresAt,
  expiryProblem,
  proposalSummaryRecord,
  requireChangeable,
  storefrontProposal,
  storefrontProposalRecord,
} from './record.ts';

export const proposalUpdate = defineTool({
  name: 'proposal_update',
  title: 'Update proposal',
  example: { id: 1, label: 'Spring offer, second round' },
  description:
    'Changes what a proposal is called, your notes, or until when it can be taken up; what is left out stays. ' +
    'One that was taken up or revoked stays as it is. What its buyer is shown does not change: make another ' +
    'with proposal_create for that.',
  effect: 'update',
  audit: { kind: storefrontProposalKind, ofInput: ({ id }) => id },
  access: needs('buyer:write'),
  rest: { method: 'PATCH', path: '/proposals/{id}' },
  input: z.strictObject({
    id: numericId('the proposal'),
    label: shortText(255).optional().describe('What you call it.'),
    notes: longText(4_000).optional().describe('For yourself.'),
    expiresAt: expiresAt.optional(),
  }),
  output: storefrontProposal,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { id }) => reachProposal(ctx, id),
  handler: async (ctx, { id, label, notes, expiresAt: until }, found) => {
    const [plan] = readProposalSnapshot(found).proposals;
    const terms = { now: ctx.now, since: found.created_at, proposalEnds: plan?.expiresAt ?? null };
    const problem = until === undefined ? undefined : expiryProblem(until, terms);
    if (problem !== undefined) throw invalid('expiresAt', problem);
    const row = await writeUpdate(ctx, {
      kind: storefrontProposalKind,
      found,
      given: { label, notes, expires_at: until },
      update: async (tx, set) => {
        requireChangeable(ctx, found, until === undefined ? 'change' : 'extend');
        return changeAsRead(tx, ctx, { found, set });
      },
      record: (one) => proposalSummaryRecord(ctx, one),
      about: (one) => ({ resourceId: String(id), resourceName: one.label }),
    });
    return storefrontProposalRecord(ctx, row);
  },
});
