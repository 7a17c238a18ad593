import { z } from 'zod';
import { toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { findDirectRole } from '../../../store/memberships.ts';
import { lockOrganization } from '../../../store/organizations.ts';
import { countServiceTokens, insertServiceToken } from '../../../store/service-tokens.ts';
import { needs } from '../../core/access.ts';
import { fullPath } from '../../core/addresses.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, forbidden, invalid } from '../../core/errors/refusals.ts';
import { momentOf } from '../../core/moments.ts';
import { accountOn } from '../../core/surfaces.ts';
import { serviceTokenKind } from '../../domain/credentials/kinds.ts';
import { credentialName } from '../../domain/credentials/schema.ts';
import { holdCaller } from '../../domain/organizations/holding.ts';
import { requireRoom } from '../../domain/quota-room.ts';
import { longText } from '../../domain/text.ts';
import { dateTime } from '../../domain/time.ts';
import { serviceToken, serviceTokenRecord, serviceTokenRole } from './record.ts';

export const serviceTokenCreate = defineTool({
  name: 'service_token_create',
  title: 'Create service token',
  example: { name: 'Report of tonight', role: 'READ' },
  description:
    'Makes a credential that acts for you for a while, sent as Bearer accessClientId.accessClientSecret. Only a ' +
    'person with a role of ADMIN or SUPER_ADMIN on the organization itself may, and over MCP it lives a day at ' +
    'the most: no secret of long life is for a chat. What a program makes opens no address beside those of the ' +
    'program, and ends when it is disconnected. The secret is in this answer and nowhere else. End it with ' +
    'service_token_archive; for lasting access a person makes an organization API key in the settings.',
  effect: 'create',
  audit: { kind: serviceTokenKind, ofResult: ({ id }) => id },
  access: needs('buyer:admin', { person: true }),
  rest: { method: 'POST', path: '/service-tokens', status: 201 },
  input: z.strictObject({
    name: credentialName.default('Service token'),
    description: longText(500).default('').describe('What it is for, up to 500 characters.'),
    role: serviceTokenRole
      .default('READ')
      .describe('READ reads, READ_WRITE makes and changes, ADMIN deletes and settles too. READ without it.'),
    expiresAt: dateTime
      .optional()
      .describe(
        'When it ends: a day from now unless said otherwise, 30 days at the most, over MCP or made by a program a day.',
      ),
  }),
  output: serviceToken
    .extend({
      accessClientSecret: z
        .string()
        .describe('The second half of the credential. It is shown this once and kept nowhere.'),
    })
    .meta({ id: 'NewServiceToken' }),
  errors: ['CONFLICT'],
  handler: async (ctx, input) => {
    const userId = await requireDirectAdmin(ctx);
    const customerId = accountOn('platform', ctx.caller.accounts);
    if (customerId === null) {
      throw conflict('Your organization has no account.', 'Ask the operator of this service for one.');
    }
    const expiresAt = endOf(ctx, input.expiresAt);
    const { value, hash } = ctx.services.ports.keys.secret();
    const row = await ctx.write(
      async (tx) => {
        await holdCaller(tx, ctx);
        await roomForToken(ctx, tx);
        return insertServiceToken(tx, ctx.scope, {
          customer_id: customerId,
          user_id: userId,
          created_by_user_id: userId,
          name: input.name,
          description: input.description,
          role: input.role,
          access_client_id: ctx.newId('svc'),
          hash,
          oauth_grant_id: ctx.caller.oauthGrantId ?? null,
          audience: ctx.caller.audience === undefined ? null : toJson(ctx.caller.audience),
          created_at: ctx.now,
          expires_at: expiresAt,
        });
      },
      ({ id, name, role }) => ({
        resourceId: id,
        resourceName: name,
        changes: { role: { to: role }, expiresAt: { to: expiresAt } },
      }),
    );
    return { ...serviceTokenRecord(row), accessClientSecret: value };
  },
});

/** So many ended ones are kept for each that may be live. */
const ENDED_OF_EACH = 100;

async function roomForToken(ctx: Context, tx: Db): Promise<void> {
  const { serviceTokensPerOrganization: most } = ctx.services.limits.quotas;
  await lockOrganization(tx, ctx.scope);
  const { live, all } = await countServiceTokens(tx, ctx.scope, ctx.now);
  const instead = 'End one with service_token_archive, or wait until one has expired.';
  requireRoom({ owner: 'organization', what: 'live service token', there: live, most, instead });
  requireRoom({
    owner: 'organization',
    what: 'service token',
    there: all,
    most: most * ENDED_OF_EACH,
    instead:
      'Use those that live on, or ask the operator of this service for more: ended ones count until they are forgotten.',
  });
}

/** A role held above the organization does not count: it may be taken away where nobody here sees it. */
async function requireDirectAdmin(ctx: Context): Promise<number> {
  const { userId } = ctx.caller;
  const role = userId === null ? undefined : await findDirectRole(ctx.db, ctx.scope, userId);
  if (userId !== null && (role === 'ADMIN' || role === 'SUPER_ADMIN')) return userId;
  throw forbidden(
    'Only a person with a role of ADMIN or SUPER_ADMIN on this very organization makes service tokens.',
    'Ask one of them, or have them give you the role.',
  );
}

function endOf(ctx: Context, wanted: string | undefined): string {
  const { serviceTokenMs, serviceTokenMaxMs } = ctx.services.limits;
  const now = Date.parse(ctx.now);
  // A program that a person let in calls REST with the same token: what it makes is made in a chat all the same.
  const isAtBrowser = ctx.server === undefined && ctx.caller.interactive === true;
  const most = isAtBrowser ? serviceTokenMaxMs : Math.min(serviceTokenMs, serviceTokenMaxMs);
  const end = wanted === undefined ? now + Math.min(serviceTokenMs, most) : Date.parse(wanted);
  if (end <= now) throw invalid('expiresAt', 'Give a moment in the future.');
  if (end > now + most) {
    throw invalid('expiresAt', `Give a moment before ${momentOf(now + most)}.`, {
      suggestion: isAtBrowser
        ? 'Leave it out for a day.'
        : `What a program makes is for the day. A person at a browser makes one that lives longer with POST ${fullPath('platform', '/service-tokens')}.`,
    });
  }
  return momentOf(end);
}
