import { advertisers } from './advertisers/index.ts';
import { auditLogs } from './audit-logs/index.ts';
import { campaigns } from './campaigns/index.ts';
import type { Stream, Tool } from './define.ts';
import { discovery, discoveryStreams } from './discovery/index.ts';
import { inventorySources } from './inventory-sources/index.ts';
import { mediaBuys } from './media-buys/index.ts';
import { products } from './products/index.ts';
import { storefronts } from './storefronts/index.ts';
import { system } from './system/index.ts';
import { webhooks } from './webhooks/index.ts';

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
