import { invalid } from './errors/refusals.ts';
import type { Digest } from './ports.ts';

/** The header of a request that names the versions it may be made on. */
export const MATCH_HEADER = 'If-Match';

/** The header of a read that names the answers its caller has. */
export const NONE_MATCH_HEADER = 'If-None-Match';

/** One entity tag, RFC 9110 section 8.8.3, and the comma before the next; between two there may be none (5.6.1). */
const TAG = /^[\s,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/;

const WORDS = 'Give the ETag of an earlier answer, several between commas, or *.';

const FINGERPRINT_LENGTH = 32;

interface Tag {
  readonly isWeak: boolean;
  readonly opaque: string;
}

/**
 * The tag of an answer: the version of its object, by which changes go, and a fingerprint of all that it shows. An
 * object shows more than its row (what its media buys came to, how its seller is), which changes without a version.
 */
export function tagOf(version: number | undefined, shown: string, digest: Digest): string {
  return `"${version ?? ''}-${digest(shown).slice(0, FINGERPRINT_LENGTH)}"`;
}

/** Which versions a header lets a request be made on: only strong tags match. Undefined for whatever there is. */
export function versionsIn(header: string): ReadonlySet<string> | undefined {
  const tags = tagsIn(header, MATCH_HEADER);
  return (
    tags && new Set(tags.filter(({ isWeak }) => !isWeak).map(({ opaque }) => opaque.replace(/-.*/s, '')))
  );
}

/** Whether an answer is one that the header of a read names: RFC 9110, sections 13.1.1 (strong) and 13.1.2. */
export function isAmong(
  { field, given }: { readonly field: string; readonly given: string },
  tag: string,
): boolean {
  const tags = tagsIn(given, field);
  const takesWeak = field === NONE_MATCH_HEADER;
  return (
    tags === undefined || tags.some(({ isWeak, opaque }) => `"${opaque}"` === tag && (takesWeak || !isWeak))
  );
}

/** The tags that a header lists; undefined where it says `*`. */
function tagsIn(header: string, field: string): Tag[] | undefined {
  if (header.trim() === '*') return undefined;
  const tags: Tag[] = [];
  for (let rest = header; /[^\s,]/.test(rest); ) {
    const [whole, weak, opaque = ''] = TAG.exec(rest) ?? [];
    if (whole === undefined) throw invalid(field, WORDS);
    tags.push({ isWeak: weak !== undefined, opaque });
    rest = rest.slice(whole.length);
  }
  return tags;
}
