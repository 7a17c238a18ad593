import { customAlphabet } from 'nanoid';
import type { Ids } from '../../tools/core/ports.ts';

const LENGTH = 20;
const suffix = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', LENGTH);

/** Ids of 103 random bits behind their prefix: `cmp_4k…`. */
export const randomIds: Ids = {
  make: (prefix) => `${prefix}_${suffix()}`,
};
