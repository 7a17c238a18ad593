import { advertisers } from './buyer/advertisers/index.ts';
import { auditLogsOf } from './buyer/audit-logs/index.ts';
import { campaigns } from './buyer/campaigns/index.ts';
import { discovery } from './buyer/discovery/index.ts';
import { mediaBuys } from './buyer/media-buys/index.ts';
import { storefronts } from './buyer/storefronts/index.ts';
import { webhooks } from './buyer/webhooks/index.ts';
import type { Family } from './core/families.ts';
import { guide } from './platform/guide/index.ts';
import { system } from './platform/system/index.ts';
import { inventorySources } from './storefront/inventory-sources/index.ts';
import { products } from './storefront/products/index.ts';
import { storefrontRecord } from './storefront/record/index.ts';

const subjects: readonly Family[] = [
  advertisers,
  discovery,
  campaigns,
  mediaBuys,
  storefronts,
  storefrontRecord,
  inventorySources,
  products,
  webhooks,
];

/** Every family. The order is the order of every list made from it. */
export const families: readonly Family[] = [
  ...subjects,
  auditLogsOf(subjects.flatMap(({ kinds }) => kinds)),
  guide,
  system,
];

/** Every capability, family by family. */
export const tools = families.flatMap((family) => family.tools);

/** Every stream of events. */
export const streams = families.flatMap((family) => family.streams);
