import { z } from 'zod';
import { listApplications } from '../../../store/m2m-applications.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
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
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listApplications(ctx.db, ctx.scope, page);
    return { applications: rows.map(applicationRecord), ...nextPage(page, rows.length, total) };
  },
});
