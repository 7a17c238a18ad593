import type { Attempt, Exchange } from './call-context.ts';
import type { Tool } from './define.ts';
import { MATCH_HEADER } from './entity-tags.ts';
import { hasReason, REASON_FIELD, reasonIn } from './reasons.ts';
import { KEY_FIELD, KEY_HEADER } from './repeat-keys.ts';
import { isFields } from './schemas/checks.ts';
import { isConditional, versionedBy, versionIn } from './versions.ts';

/**
 * The input of a change without what every change may be given: the reason for it, which is the audit log's, and over
 * MCP the version of its object that it is made on.
 */
export function inputAlone(attempt: Attempt, tool: Tool, raw: unknown): unknown {
  if (tool.effect === 'read') return raw;
  const why = reasonIn(tool, raw);
  if (why !== undefined) attempt.reason = why.reason;
  const rest = why === undefined ? raw : why.raw;
  const version = versionIn(tool, attempt.exchange, rest);
  if (version === undefined) return rest;
  attempt.expected = version.expected;
  return version.raw;
}

/** Without what is null beside the input: as in an optional field it says nothing, and some hosts fill every field. */
export function withoutNullsBeside(tool: Tool, { server }: Pick<Exchange, 'server'>, raw: unknown): unknown {
  if (tool.effect === 'read' || !isFields(raw)) return raw;
  const overMcp = server === undefined ? [] : [KEY_FIELD, versionedBy(tool)?.field];
  const reason = hasReason(tool) ? [] : [REASON_FIELD];
  const empty = [...reason, ...overMcp].filter((name) => name !== undefined && raw[name] === null);
  if (empty.length === 0) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !empty.includes(name)));
}

/** What a call may be given beside its input, for whoever gives it under another name, or in another place. */
export interface Beside {
  /** Fields that are taken out of the input before it is read. */
  readonly fields: readonly string[];
  /** What was given, these fields included. */
  readonly given: unknown;
  /** The field that a name means; names in lower case, their letters alone. */
  readonly meaning?: ReadonlyMap<string, string>;
  /** Of what is no field here: where it is given. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

const KEY_NAME = 'idempotencykey';
/** What versions of objects are called, here and elsewhere. */
const VERSION_NAMES = ['revision', 'version', 'versionhash', 'etag', 'ifmatch'];

/** `given`: the raw input. */
export function besideInput(tool: Tool, { server }: Pick<Exchange, 'server'>, given: unknown): Beside {
  const isOverMcp = server !== undefined;
  return tool.effect === 'read'
    ? { fields: [], given, elsewhere: besideRead(tool) }
    : besideChange(tool, isOverMcp, given);
}

/** What passes calls on takes their keys with them. */
function besideRead({ passesOn }: Tool): Beside['elsewhere'] {
  return new Map(passesOn ? [] : [[KEY_NAME, 'What only reads needs no key: leave it out.']]);
}

function besideChange(tool: Tool, isOverMcp: boolean, given: unknown): Beside {
  const version = isConditional(tool) ? tool.audit?.kind.versioned?.field : undefined;
  const isField = version !== undefined && (isOverMcp || version in tool.input.shape);
  const inHeaders: [string, string][] = isOverMcp ? [] : [[KEY_NAME, `Give it as the header ${KEY_HEADER}.`]];
  if (version !== undefined && !isField) inHeaders.push(...VERSION_NAMES.map(byTag));
  return {
    fields: [...(hasReason(tool) ? [] : [REASON_FIELD]), ...(isOverMcp ? [KEY_FIELD] : [])],
    given,
    meaning: new Map(isField ? VERSION_NAMES.map((name) => [name, version]) : []),
    elsewhere: new Map(inHeaders),
  };
}

function byTag(name: string): [string, string] {
  return [name, `Give the ETag that was read as the header ${MATCH_HEADER}.`];
}
