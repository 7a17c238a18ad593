import { z } from 'zod';
import { listSecrets } from '../../../store/m2m-applications.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachApplication } from './reach.ts';
import { application, applicationId, applicationRecord, secret, secretRecord } from './record.ts';

export const m2mApplicationGet = defineTool({
  name: 'm2m_application_get',
  title: 'Get application',
  example: { id: 'm2m_example' },
  description:
    'Shows an application with its live secrets, newest first: of each the last characters, when it last got a ' +
    'token, and whether such a token was used, which is when older secrets may go.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'GET', path: '/m2m-applications/{id}' },
  input: z.strictObject({ id: applicationId }),
  output: z.object({
    application: application
      .extend({ secrets: z.array(secret).describe('The live secrets, newest first.') })
      .meta({ id: 'M2mApplicationWithSecrets' })
      .describe('The application.'),
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, { id }) => reachApplication(ctx, id),
  handler: async (ctx, { id }, found) => {
    const secrets = await listSecrets(ctx.db, ctx.scope, id);
    return { application: { ...applicationRecord(found), secrets: secrets.map(secretRecord) } };
  },
});
