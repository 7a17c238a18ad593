import { defineFamily } from '../../core/families.ts';
import { legacyKeyDelete } from './legacy-key-delete.ts';
import { legacyKeyList } from './legacy-key-list.ts';

/** Keys of an earlier kind: seen and ended, never made or changed. */
export const legacyKeys = defineFamily({
  surface: 'platform',
  toolset: 'legacy_keys',
  tools: [legacyKeyList, legacyKeyDelete],
});
