import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { ownStorefront } from '../../domain/storefronts/reach.ts';
import { asStorefrontRecord } from '../../domain/storefronts/record.ts';
import { storefrontRecord } from '../../domain/storefronts/schema.ts';

export const storefrontRecordGet = defineTool({
  name: 'storefront_record_get',
  title: 'Get own storefront',
  description:
    'Gives the storefront of your selling account: its profile, where it sells, and whether it is open for ' +
    'business. Answers NOT_FOUND until storefront_record_create made it.',
  surface: 'storefront',
  toolset: 'selling',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/' },
  input: z.strictObject({}),
  output: storefrontRecord,
  errors: ['NOT_FOUND'],
  find: (ctx) => ownStorefront(ctx),
  handler: async (_ctx, _input, found) => asStorefrontRecord(found),
});
