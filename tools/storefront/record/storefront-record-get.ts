import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachOwnStorefront } from '../../domain/storefronts/reach.ts';
import { ownStorefrontRecord } from '../../domain/storefronts/record.ts';
import { ownStorefront } from '../../domain/storefronts/schema.ts';
import { shownOwnStorefront } from '../../domain/storefronts/shown.ts';

export const storefrontRecordGet = defineTool({
  name: 'storefront_record_get',
  title: 'Get own storefront',
  example: {},
  description:
    'Gives the storefront of your selling account: its profile, where it sells, and whether it is open for ' +
    'business. Answers NOT_FOUND until storefront_record_create made it.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/', shows: shownOwnStorefront(ownStorefront) },
  input: z.strictObject({}),
  output: ownStorefront,
  errors: ['NOT_FOUND'],
  find: (ctx) => reachOwnStorefront(ctx),
  handler: async (_ctx, _input, found) => ownStorefrontRecord(found),
});
