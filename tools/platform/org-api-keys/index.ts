import { defineFamily } from '../../core/families.ts';
import { orgApiKeyCreate } from './org-api-key-create.ts';
import { orgApiKeyDelete } from './org-api-key-delete.ts';
import { orgApiKeyList } from './org-api-key-list.ts';
import { widgetTokenGet } from './widget-token-get.ts';

/** Keys of the organization, made and ended by people alone. */
export const orgApiKeys = defineFamily({
  surface: 'platform',
  toolset: 'org_api_keys',
  tools: [orgApiKeyList, orgApiKeyCreate, orgApiKeyDelete, widgetTokenGet],
});
