import { advertisers } from './buyer/advertisers/index.ts';
import { auditLogs } from './buyer/audit-logs/index.ts';
import { campaigns } from './buyer/campaigns/index.ts';
import { discovery, discoveryStreams } from './buyer/discovery/index.ts';
import { mediaBuys } from './buyer/media-buys/index.ts';
import { storefronts } from './buyer/storefronts/index.ts';
import { webhooks } from './buyer/webhooks/index.ts';
import type { Stream, Tool } from './core/define.ts';
import { system } from './platform/system/index.ts';
import { inventorySources } from './storefront/inventory-sources/index.ts';
import { products } from './storefront/products/index.ts';

/** Every capability, family by family. The order is the order of every list made from it. */
export const tools: readonly Tool[] = [
  ...advertisers,
  ...discovery,
  ...campaigns,
  ...mediaBuys,
  ...storefronts,
  ...inventorySources,
  ...products,
  ...webhooks,
  ...auditLogs,
  ...system,
];

/** Every stream of events. */
export const streams: readonly Stream[] = [...discoveryStreams];
