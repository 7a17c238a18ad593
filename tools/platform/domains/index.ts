import { defineFamily } from '../../core/families.ts';
import { memberKind } from '../../domain/organizations/kinds.ts';
import { joinRequestMachine } from '../../domain/organizations/machines.ts';
import { domainCreate } from './domain-create.ts';
import { domainList } from './domain-list.ts';
import { domainUpdate } from './domain-update.ts';
import { joinRequestList } from './join-request-list.ts';
import { joinRequestUpdate } from './join-request-update.ts';

/** How people come into the organization by the domain of their address. */
export const domains = defineFamily({
  surface: 'platform',
  toolset: 'domains',
  tools: [domainList, domainCreate, domainUpdate, joinRequestList, joinRequestUpdate],
  alsoWritesOf: [memberKind],
  machines: [joinRequestMachine],
});
