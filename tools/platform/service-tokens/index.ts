import { defineFamily } from '../../core/families.ts';
import { serviceTokenArchive } from './service-token-archive.ts';
import { serviceTokenCreate } from './service-token-create.ts';
import { serviceTokenList } from './service-token-list.ts';

/** Credentials that a person lends for a while. */
export const serviceTokens = defineFamily({
  surface: 'platform',
  toolset: 'service_tokens',
  tools: [serviceTokenCreate, serviceTokenArchive, serviceTokenList],
});
