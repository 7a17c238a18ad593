import { defineFamily } from '../../core/families.ts';
import { subscriptionMachine } from '../../domain/webhooks/rules.ts';
import { webhookCreate } from './webhook-create.ts';
import { webhookDelete } from './webhook-delete.ts';
import { webhookList } from './webhook-list.ts';

export const webhooks = defineFamily({
  surface: 'buyer',
  toolset: 'webhooks',
  inDefaultList: true,
  tools: [webhookCreate, webhookList, webhookDelete],
  machines: [subscriptionMachine],
});
