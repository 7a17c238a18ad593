import { webhookCreate } from './webhook-create.ts';
import { webhookDelete } from './webhook-delete.ts';
import { webhookList } from './webhook-list.ts';

export const webhooks = [webhookCreate, webhookList, webhookDelete];
