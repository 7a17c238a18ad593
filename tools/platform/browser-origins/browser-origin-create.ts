import { z } from 'zod';
import { insertBrowserOrigin, listBrowserOrigins } from '../../../store/browser-origins.ts';
import type { Db } from '../../../store/engine/db.ts';
import { isUniqueViolation } from '../../../store/engine/dialect.ts';
import { lockOrganization } from '../../../store/organizations.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { browserOriginKind } from '../../domain/organizations/kinds.ts';
import { requireRoom } from '../../domain/quota-room.ts';
import { shortText } from '../../domain/text.ts';
import { browserOrigin, browserOriginRecord } from './record.ts';

/** An origin as browsers write it: https, a host in lower case, a port where it is not the usual one. */
const origin = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (text) => URL.canParse(text) && new URL(text).protocol === 'https:' && new URL(text).origin === text,
    {
      error: 'Give an origin such as https://app.acme.example: https, no path, no blank and nothing else.',
    },
  );

export const browserOriginCreate = defineTool({
  name: 'browser_origin_create',
  title: 'Create browser origin',
  example: { origin: 'https://app.acme.example', label: 'Our dashboard' },
  description:
    'Lets pages of an origin call this service from a browser with keys and tokens of your organization, and of no ' +
    'other. It is for your own pages: whoever runs the origin can use what its visitors hold.',
  effect: 'create',
  restOnly: true,
  audit: { kind: browserOriginKind, ofResult: ({ id }) => id },
  access: needs('buyer:admin'),
  rest: {
    method: 'POST',
    path: '/buyer/browser-origins',
    also: ['/storefront/browser-origins'],
    status: 201,
  },
  input: z.strictObject({
    origin: origin.describe('The origin, such as https://app.acme.example.'),
    label: shortText(120).optional().describe('What it is for.'),
  }),
  output: browserOrigin,
  errors: ['CONFLICT'],
  handler: async (ctx, input) => {
    try {
      const row = await ctx.write(
        async (tx) => {
          await roomForOrigin(ctx, tx);
          return insertBrowserOrigin(tx, ctx.scope, {
            origin: input.origin,
            label: input.label ?? null,
            created_by: ctx.caller.userId,
            created_at: ctx.now,
            updated_at: ctx.now,
          });
        },
        ({ id }) => ({ resourceId: id, resourceName: input.origin }),
      );
      return browserOriginRecord(row);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw conflict('Your organization has this origin already.', 'List them with browser_origin_list.');
    }
  },
});

/** More of them than anybody's pages come from would make every question longer. Counted while nobody else adds one. */
async function roomForOrigin(ctx: Context, tx: Db): Promise<void> {
  const { originsPerOrganization: most } = ctx.services.limits.quotas;
  await lockOrganization(tx, ctx.scope);
  const { total: there } = await listBrowserOrigins(tx, ctx.scope, { take: 1, skip: 0 });
  const instead = 'Take one away with browser_origin_delete first.';
  requireRoom({ owner: 'organization', what: 'origin', there, most, instead });
}
