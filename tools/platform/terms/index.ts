import { defineFamily } from '../../core/families.ts';
import { acceptTos } from './accept-tos.ts';

/** The agreement of the organization. */
export const terms = defineFamily({
  surface: 'platform',
  toolset: 'terms',
  inDefaultList: true,
  tools: [acceptTos],
});
