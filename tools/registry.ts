import { advertisers } from './advertisers/index.ts';
import type { Stream, Tool } from './define.ts';
import { system } from './system/index.ts';

/** Every capability, family by family. The order is the order of every list made from it. */
export const tools: readonly Tool[] = [...advertisers, ...system];

export const streams: readonly Stream[] = [];
