import { defineFamily } from '../../core/families.ts';
import { joinLinkCreate } from './join-link-create.ts';
import { joinLinkDelete } from './join-link-delete.ts';
import { joinLinkList } from './join-link-list.ts';
import { sponsorshipMachine } from './machines.ts';
import { sponsoredBuyerList } from './sponsored-buyer-list.ts';
import { sponsoredBuyerUpdate } from './sponsored-buyer-update.ts';

/** Links by which buyers come to the storefront alone, and those who came. */
export const joinLinks = defineFamily({
  surface: 'storefront',
  toolset: 'join_links',
  tools: [joinLinkList, joinLinkCreate, joinLinkDelete, sponsoredBuyerList, sponsoredBuyerUpdate],
  machines: [sponsorshipMachine],
});
