import { z } from 'zod';
import { findDomain, updateDomain } from '../../../store/domains.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { present } from '../../core/reach.ts';
import { writeUpdate } from '../../core/updating.ts';
import { domainKind } from '../../domain/organizations/kinds.ts';
import { domainName } from '../../domain/text.ts';
import { domain, domainRecord, policyField } from './record.ts';

export const domainUpdate = defineTool({
  name: 'domain_update',
  title: 'Update domain',
  example: { domain: 'acme.example', policy: 'auto_approve' },
  description:
    'Changes how people with an address of one of your domains come into your organization. Who is in stays. Find ' +
    'the domains with domain_list.',
  effect: 'update',
  restOnly: true,
  audit: { kind: domainKind, ofInput: (input) => input.domain },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'PATCH', path: '/domains/{domain}' },
  input: z.strictObject({ domain: domainName.describe('One of your domains.'), policy: policyField }),
  output: domain,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, input) => present(await findDomain(ctx.db, ctx.scope, input.domain), domainKind),
  handler: async (ctx, { policy }, found) =>
    domainRecord(
      await writeUpdate(ctx, {
        kind: domainKind,
        found,
        given: { policy },
        update: (tx) => updateDomain(tx, ctx.scope, { domain: found.domain, set: { policy } }),
        record: domainRecord,
        about: () => ({ resourceId: found.domain, resourceName: found.domain }),
      }),
    ),
});
