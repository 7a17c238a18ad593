import { advertisers } from './buyer/advertisers/index.ts';
import { auditLogsOf } from './buyer/audit-logs/index.ts';
import { campaigns } from './buyer/campaigns/index.ts';
import { discovery } from './buyer/discovery/index.ts';
import { mediaBuys } from './buyer/media-buys/index.ts';
import { spendApprovals } from './buyer/spend-approvals/index.ts';
import { storefronts } from './buyer/storefronts/index.ts';
import { webhooks } from './buyer/webhooks/index.ts';
import type { Family } from './core/families.ts';
import { factsOf } from './core/surfaces.ts';
import { accounts } from './platform/accounts/index.ts';
import { browserOrigins } from './platform/browser-origins/index.ts';
import { domains } from './platform/domains/index.ts';
import { guide } from './platform/guide/index.ts';
import { legacyKeys } from './platform/legacy-keys/index.ts';
import { m2mApplications } from './platform/m2m-applications/index.ts';
import { members } from './platform/members/index.ts';
import { orgApiKeys } from './platform/org-api-keys/index.ts';
import { serviceTokens } from './platform/service-tokens/index.ts';
import { system } from './platform/system/index.ts';
import { terms } from './platform/terms/index.ts';
import { storefrontActivityOf } from './storefront/activity/index.ts';
import { inventorySources } from './storefront/inventory-sources/index.ts';
import { joinLinks } from './storefront/join-links/index.ts';
import { products } from './storefront/products/index.ts';
import { proposals } from './storefront/proposals/index.ts';
import { storefrontRecord } from './storefront/record/index.ts';

const subjects: readonly Family[] = [
  advertisers,
  discovery,
  campaigns,
  mediaBuys,
  spendApprovals,
  storefronts,
  storefrontRecord,
  inventorySources,
  products,
  proposals,
  webhooks,
  orgApiKeys,
  m2mApplications,
  serviceTokens,
  legacyKeys,
  terms,
  accounts,
  members,
  domains,
  browserOrigins,
  joinLinks,
];

const kindsOf = (of: readonly Family[]) => of.flatMap(({ kinds }) => kinds);

/** Every family. The order is the order of every list made from it. */
export const families: readonly Family[] = [
  ...subjects,
  auditLogsOf(kindsOf(subjects)),
  // An organization that only sells reads there what is nobody's side as well: its people, its terms.
  storefrontActivityOf(kindsOf(subjects.filter(({ surface }) => factsOf(surface).side !== 'buyer'))),
  guide,
  system,
];

/** Every capability, family by family. */
export const tools = families.flatMap((family) => family.tools);

/** Every stream of events. */
export const streams = families.flatMap((family) => family.streams);
