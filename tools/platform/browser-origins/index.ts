import { defineFamily } from '../../core/families.ts';
import { browserOriginCreate } from './browser-origin-create.ts';
import { browserOriginDelete } from './browser-origin-delete.ts';
import { browserOriginList } from './browser-origin-list.ts';

/** Pages of the organization's own that call from a browser. */
export const browserOrigins = defineFamily({
  surface: 'platform',
  toolset: 'browser_origins',
  tools: [browserOriginList, browserOriginCreate, browserOriginDelete],
});
