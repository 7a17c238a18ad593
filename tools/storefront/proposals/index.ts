import { defineFamily } from '../../core/families.ts';
import { proposalMachine } from '../../domain/discovery/sessions/machines.ts';
import { proposalCreate } from './proposal-create.ts';
import { proposalGet } from './proposal-get.ts';
import { proposalList } from './proposal-list.ts';
import { proposalRevoke } from './proposal-revoke.ts';
import { proposalUpdate } from './proposal-update.ts';

/** What a seller offers to one buyer, by a code that it hands out. */
export const proposals = defineFamily({
  surface: 'storefront',
  toolset: 'proposals',
  tools: [proposalList, proposalGet, proposalCreate, proposalUpdate, proposalRevoke],
  machines: [proposalMachine],
});
