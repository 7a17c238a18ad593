import { defineFamily } from '../../core/families.ts';
import { subscriptionMachine } from '../../domain/webhooks/machines.ts';
import { accountEvents } from './account-events.ts';
import { webhookCreate } from './webhook-create.ts';
import { webhookDelete } from './webhook-delete.ts';
import { webhookDeliveryList } from './webhook-delivery-list.ts';
import { webhookList } from './webhook-list.ts';
import { webhookTest } from './webhook-test.ts';

export const webhooks = defineFamily({
  surface: 'buyer',
  toolset: 'webhooks',
  inDefaultList: true,
  tools: [webhookCreate, webhookList, webhookTest, webhookDeliveryList, webhookDelete],
  streams: [accountEvents],
  machines: [subscriptionMachine],
});
