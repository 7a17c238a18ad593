import { z } from 'zod';
import { listApplications } from '../../../store/m2m-applications.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { application, applicationRecord } from './record.ts';

export const m2mApplicationList = defineTool({
  name: 'm2m_application_list',
  title: 'List applications',
  example: { take: 20 },
  description:
    'Lists the backends of your organization that get access tokens of their own (OAuth 2.0 client_credentials), ' +
    'newest first. m2m_application_get shows the secrets of one by their last characters. Pages with take and skip.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'GET', path: '/m2m-applications', list: 'applications' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: z.object({
    applications: z.array(application).describe('This page of the applications.'),
    total: z.number().int().describe('How many there are without paging.'),
  }),
  errors: [],
  handler: async (ctx, { take, skip }) => {
    const rows = await listApplications(ctx.db, ctx.scope);
    return { applications: rows.slice(skip, skip + take).map(applicationRecord), total: rows.length };
  },
});
