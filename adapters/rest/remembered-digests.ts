import { LRUCache } from 'lru-cache';
import type { Digest } from '../../tools/core/ports.ts';

const ADDRESSES_MAX = 512;
const TEXT_MAX = 8_192;

/**
 * What an address showed last, and its digest: who watches an object reads it again and again, and it seldom changed.
 * To compare two texts takes a tenth of the time of a hash. A text of another account at the same address is another.
 */
export function rememberedDigests(digest: Digest): (address: string, text: string) => string {
  const last = new LRUCache<string, { readonly text: string; readonly digest: string }>({
    max: ADDRESSES_MAX,
  });
  return (address, text) => {
    const known = last.get(address);
    if (known?.text === text) return known.digest;
    const made = digest(text);
    if (text.length <= TEXT_MAX) last.set(address, { text, digest: made });
    return made;
  };
}
