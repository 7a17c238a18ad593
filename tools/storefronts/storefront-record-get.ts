import { z } from 'zod';
import { needs } from '../access.ts';
import { defineTool } from '../define.ts';
import { ownStorefront } from '../own-storefront.ts';
import { asStorefrontRecord } from './record.ts';
import { storefrontRecord } from './schema.ts';

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
