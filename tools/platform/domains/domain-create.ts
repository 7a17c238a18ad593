import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { claimDomain } from '../../domain/organizations/domains.ts';
import { domainKind } from '../../domain/organizations/kinds.ts';
import { domainName } from '../../domain/text.ts';
import { domain, domainRecord, policyField } from './record.ts';

export const domainCreate = defineTool({
  name: 'domain_create',
  title: 'Create domain',
  example: { domain: 'acme.example', policy: 'request_approval' },
  description:
    'Names an e-mail domain as your organization’s own. It counts once the operator of this service has verified ' +
    'it; domains of private mailboxes are refused. Then requests of people come in join_request_list.',
  effect: 'create',
  restOnly: true,
  audit: { kind: domainKind, ofResult: (made) => made.domain },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'POST', path: '/domains', status: 201 },
  input: z.strictObject({
    domain: domainName.describe('The domain, such as acme.example.'),
    policy: policyField.default('invitation_only'),
  }),
  output: domain,
  errors: ['CONFLICT'],
  handler: async (ctx, input) => domainRecord(await claimDomain(ctx, input)),
});
