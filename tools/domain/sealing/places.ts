import type { SealedColumn, SealedColumns, SealedPlace } from '../../../store/unscoped/sealed.ts';
import { CODE_PURPOSE, proposalCodeOwner } from '../discovery/sessions/proposal-code-owner.ts';
import { providerOwner, signingKeyOwner } from '../organizations/secret-owners.ts';
import { authOwner } from '../sellers/credential-owner.ts';
import { secretOwner } from '../webhooks/secret-owner.ts';

const columns: SealedColumns = {
  inventory_sources: { auth: { key: 'id', owner: authOwner } },
  organization_providers: { secret_sealed: { key: 'domain', owner: providerOwner } },
  signing_keys: { private_sealed: { key: 'id', owner: signingKeyOwner } },
  storefront_proposals: {
    code_sealed: {
      key: 'id',
      owner: proposalCodeOwner,
      found: { by: 'code', purpose: CODE_PURPOSE },
    },
  },
  webhook_subscriptions: { secret: { key: 'id', owner: secretOwner } },
};

/** Wherever encrypted values are stored. */
export const sealedPlaces: readonly SealedPlace[] = Object.entries(columns).flatMap(([table, own]) =>
  Object.entries<SealedColumn>(own).map(([column, how]) => ({ ...how, table, column })),
);
