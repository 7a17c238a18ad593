import { defineFamily } from '../../core/families.ts';
import { apiCall } from './api-call.ts';
import { capabilitySearch } from './capability-search.ts';
import { help } from './help.ts';

/** What tells of all the others, and reaches those that no list shows. */
export const guide = defineFamily({
  surface: 'platform',
  toolset: 'guide',
  inDefaultList: true,
  tools: [capabilitySearch, apiCall, help],
});
