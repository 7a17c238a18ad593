import { z } from 'zod';
import type { Db } from '../../../store/engine/db.ts';
import { isUniqueViolation } from '../../../store/engine/dialect.ts';
import { countJoinLinks, insertJoinLink } from '../../../store/join-links.ts';
import { lockAccount } from '../../../store/organizations.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, invalid, notFound } from '../../core/errors/refusals.ts';
import { numericId } from '../../domain/ids.ts';
import { joinLinkKind } from '../../domain/organizations/kinds.ts';
import { requireRoom } from '../../domain/quota-room.ts';
import { ownStorefrontKind, reachOwnStorefront } from '../../domain/storefronts/reach.ts';
import { slugOf } from '../../domain/text.ts';
import { dateTime } from '../../domain/time.ts';
import { approvalField, joinLink, joinLinkRecord } from './record.ts';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])$/;
const SLUG_MAX = 50;
const CHANCE = 8;

export const joinLinkCreate = defineTool({
  name: 'join_link_create',
  title: 'Create join link',
  example: { approvalPolicy: 'manual_approve' },
  description:
    'Makes a link to hand out: each company that signs up by it becomes a buyer of its own that sees your ' +
    'storefront and no other. It works again and again. Returns joinPath; let buyers in with ' +
    'sponsored_buyer_update where you approve them yourself.',
  effect: 'create',
  audit: { kind: joinLinkKind, ofResult: ({ id }) => id },
  access: needs('buyer:admin'),
  rest: { method: 'POST', path: '/join-links', status: 201 },
  input: z.strictObject({
    storefrontId: numericId('the storefront, yours: it is the only one there is', 'ownStorefront').optional(),
    approvalPolicy: approvalField.default('manual_approve'),
    slug: z
      .string()
      .regex(SLUG, 'Give 2 to 64 lowercase letters, digits and hyphens.')
      .optional()
      .describe('What stands in the address; made of the name of the storefront, unless given.'),
    expiresAt: dateTime.optional().describe('Until when it leads anywhere.'),
    maxUses: z.number().int().min(1).max(1_000_000).optional().describe('How many buyers may come by it.'),
  }),
  output: joinLink,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, { storefrontId }) => {
    const own = await reachOwnStorefront(ctx);
    if (storefrontId !== undefined && storefrontId !== own.id) throw notFound(NOT_YOURS);
    return own;
  },
  handler: async (ctx, input, found) => {
    if (input.expiresAt !== undefined && input.expiresAt <= ctx.now) {
      throw invalid('expiresAt', 'Give a moment in the future.');
    }
    const chance = ctx.newId('x').slice(-CHANCE).toLowerCase();
    const slug = input.slug ?? `${slugOf(found.name, 'storefront').slice(0, SLUG_MAX)}-${chance}`;
    try {
      const row = await ctx.write(
        async (tx) => {
          await roomForLink(ctx, tx);
          return insertJoinLink(tx, ctx.scope, {
            id: ctx.newId('jl'),
            storefront_id: found.id,
            slug,
            approval_policy: input.approvalPolicy,
            uses: 0,
            max_uses: input.maxUses ?? null,
            expires_at: input.expiresAt ?? null,
            revoked_at: null,
            created_by: ctx.caller.principal,
            created_at: ctx.now,
            updated_at: ctx.now,
          });
        },
        ({ id }) => ({ resourceId: id, changes: { slug: { to: slug } } }),
      );
      return joinLinkRecord(row);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw conflict('There is a link with this slug already.', 'Choose another slug, or give none.', {
        field: 'slug',
      });
    }
  },
});

/** Whoever names another one has one, and need not name it. */
const NOT_YOURS = {
  ...ownStorefrontKind,
  lookUp: 'Leave storefrontId out: a link leads to your own storefront.',
};

/** So many disabled ones are kept for each that may be open. */
const DISABLED_OF_EACH = 10;

async function roomForLink(ctx: Context, tx: Db): Promise<void> {
  const { joinLinksPerAccount: most } = ctx.services.limits.quotas;
  await lockAccount(tx, ctx.scope);
  const { live, all } = await countJoinLinks(tx, ctx.scope);
  const instead = 'Disable one with join_link_delete first.';
  requireRoom({ owner: 'account', what: 'open join link', there: live, most, instead });
  requireRoom({
    owner: 'account',
    what: 'join link',
    there: all,
    most: most * (1 + DISABLED_OF_EACH),
    instead:
      'Use one of join_link_list, or ask the operator of this service for more: disabled ones count until they are forgotten.',
  });
}
