import type { Exchange } from './call-context.ts';
import { isFields } from './checks.ts';
import type { Tool } from './define.ts';
import type { AppError } from './errors/app-error.ts';
import { conflict, invalid, staleWrite } from './errors/refusals.ts';

/** The header of a change over REST that names the versions it may be made on. */
export const MATCH_HEADER = 'If-Match';

/** One entity tag, RFC 9110 section 8.8.3, or the comma before the next. */
const TAG = /^\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/;

const WORDS = 'Give the ETag of an earlier answer, several between commas, or *.';

/** Which versions of its object a change may be made on. */
export interface Expected {
  /** How the caller said it. */
  readonly field: string;
  /** Strong tags; undefined for whatever version there is. */
  readonly tags: ReadonlySet<string> | undefined;
}

/** The version of what a call is about: of what was found, or of what stands first among what was found. */
export function versionOf(found: unknown): number | undefined {
  if (!isFields(found)) return undefined;
  if (typeof found['version'] === 'number') return found['version'];
  for (const part of Object.values(found)) {
    if (isFields(part) && typeof part['version'] === 'number') return part['version'];
  }
  return undefined;
}

export function tagOf(version: number): string {
  return `"${version}"`;
}

/** Whether a call changes one object that has a version: then the caller may say which. */
export function isConditional({ effect, audit }: Pick<Tool, 'effect' | 'audit'>): boolean {
  return effect !== 'read' && effect !== 'create' && audit?.kind.versioned === true;
}

/** What a change expects; undefined where it takes the object as it is. */
export function expectedBy({ ifMatch }: Exchange, tool: Tool): Expected | undefined {
  if (ifMatch === undefined || tool.passesOn === true) return undefined;
  return { field: MATCH_HEADER, tags: tagsIn(ifMatch) };
}

/** RFC 9110, section 13.1.1: only strong tags match, and `*` whatever there is. */
function tagsIn(header: string): ReadonlySet<string> | undefined {
  if (header.trim() === '*') return undefined;
  const tags = new Set<string>();
  for (let rest = header; rest.trim() !== ''; ) {
    const [whole, weak, tag] = TAG.exec(rest) ?? [];
    if (whole === undefined) throw invalid(MATCH_HEADER, WORDS);
    if (weak === undefined) tags.add(`"${tag}"`);
    rest = rest.slice(whole.length);
  }
  return tags;
}

/** Why a change may not be made on what there is; undefined where it may. */
export function unmet(tool: Tool, expected: Expected | undefined, found: unknown): AppError | undefined {
  if (expected === undefined) return undefined;
  const { field, tags } = expected;
  if (!isConditional(tool) || tool.audit === undefined) {
    return conflict(
      `${tool.title} changes nothing that has a version, so ${field} cannot hold.`,
      `Leave ${field} out.`,
      { field },
    );
  }
  const version = versionOf(found);
  const holds = version !== undefined && (tags === undefined || tags.has(tagOf(version)));
  return holds ? undefined : staleWrite(tool.audit.kind, { field });
}
