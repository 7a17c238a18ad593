import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { forbidden } from '../../core/errors/refusals.ts';
import { timestamp } from '../../domain/time.ts';

export const widgetTokenGet = defineTool({
  name: 'widget_token_get',
  title: 'Get widget token',
  description:
    'Gives a token for the key-management widget, for a page that shows it: it lives for minutes and opens ' +
    'nothing else. Whether you may manage keys is asked again with each of the widget’s calls.',
  effect: 'read',
  restOnly: true,
  // Every role reads: what counts is being a member, at a browser.
  access: needs('buyer:read', { human: true }),
  rest: { method: 'GET', path: '/org-api-keys/widget-token' },
  input: z.strictObject({}),
  output: z.object({
    token: z.string().describe('What the widget is given. Keep it out of addresses and logs.'),
    expiresAt: timestamp.describe('When it ends.'),
  }),
  errors: [],
  handler: (ctx) => {
    const { organizationId, userId, sessionId } = ctx.caller;
    if (userId === null || sessionId === undefined) {
      throw forbidden('A widget token is for a person at a browser.', 'Sign in, and ask again.');
    }
    return ctx.services.ports.credentials.widgetToken({ organizationId, userId, sessionId });
  },
});
