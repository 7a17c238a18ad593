import type { Exchange } from './call-context.ts';
import type { Tool } from './define.ts';
import { MATCH_HEADER, versionsIn } from './entity-tags.ts';
import type { AppError } from './errors/app-error.ts';
import { conflict, invalid, staleWrite } from './errors/refusals.ts';
import type { Versioned } from './kinds.ts';
import type { Digest } from './ports.ts';
import { isFields } from './schemas/checks.ts';

/** Which versions of its object a change may be made on. */
export interface Expected {
  /** How the caller said it. */
  readonly field: string;
  /** Those that strong tags name; undefined for whatever version there is. */
  readonly versions?: ReadonlySet<string> | undefined;
  /** What stands in its field, as the caller read it. */
  readonly shown?: string;
}

type Row = Readonly<Record<string, unknown>> & { readonly version: number };

/** The row that a call is about: what was found, or what stands first among what was found. */
function rowIn(found: unknown): Row | undefined {
  if (!isFields(found)) return undefined;
  return isRow(found) ? found : Object.values(found).find(isRow);
}

function isRow(value: unknown): value is Row {
  return isFields(value) && typeof value['version'] === 'number';
}

/** The version of what a call is about. */
export function versionOf(found: unknown): number | undefined {
  const row = rowIn(found);
  return row && conditionOf(row);
}

/**
 * What a change is made on. A row whose version moves by more than that, as by what is delivered of a media buy, counts
 * the rest apart.
 */
function conditionOf({ edition, version }: Row): number {
  return typeof edition === 'number' ? edition : version;
}

/** Whether a call changes one object that has a version: then the caller may say which. */
export function isConditional({ effect, audit }: Pick<Tool, 'effect' | 'audit'>): boolean {
  return effect !== 'read' && effect !== 'create' && audit?.kind.versioned !== undefined;
}

/**
 * How a change over MCP says the version of its object; undefined where it says it in a field of its own, or cannot.
 */
export function versionedBy(tool: Pick<Tool, 'effect' | 'audit' | 'input'>): Versioned | undefined {
  const versioned = isConditional(tool) ? tool.audit?.kind.versioned : undefined;
  return versioned === undefined || versioned.field in tool.input.shape ? undefined : versioned;
}

const SHOWN = /^[0-9a-f]{1,64}$/;

/** The version that was given as an argument over MCP, and the input without it; undefined where none was. */
export function versionIn(
  tool: Pick<Tool, 'effect' | 'audit' | 'input'>,
  { server }: Pick<Exchange, 'server'>,
  raw: unknown,
): { expected: Expected; raw: unknown } | undefined {
  const field = server === undefined ? undefined : versionedBy(tool)?.field;
  if (field === undefined || !isFields(raw) || raw[field] === undefined) return undefined;
  const { [field]: given, ...others } = raw;
  const shown = typeof given === 'number' ? String(given) : given;
  if (typeof shown !== 'string' || !SHOWN.test(shown))
    throw invalid(field, `Give the ${field} that was read.`);
  return { expected: { field, shown }, raw: others };
}

/** What a change expects; undefined where it takes the object as it is, and where it is of what is called by it. */
export function expectedBy({ ifMatch }: Exchange, tool: Tool): Expected | undefined {
  const isOfAnother = tool.passesOn === true && !isConditional(tool);
  if (ifMatch === undefined || isOfAnother) return undefined;
  return { field: MATCH_HEADER, versions: versionsIn(ifMatch) };
}

/** Why a change may not be made on what there is; undefined where it may. */
export function unmet(
  tool: Tool,
  expected: Expected | undefined,
  { found, digest }: { readonly found: unknown; readonly digest: Digest },
): AppError | undefined {
  if (expected === undefined) return undefined;
  const { field, versions, shown } = expected;
  const { versioned } = tool.audit?.kind ?? {};
  if (!isConditional(tool) || tool.audit === undefined || versioned === undefined) {
    return conflict(
      `${tool.title} changes nothing that has a version, so ${field} cannot hold.`,
      `Leave ${field} out.`,
      { field },
    );
  }
  if (versions?.size === 0) {
    return conflict(
      `${field} names no strong tag, and only such can match: nothing was changed.`,
      'Give the ETag of an earlier answer as it was, without W/; or *.',
      { field },
    );
  }
  const row = rowIn(found);
  const isNamed = row !== undefined && (versions === undefined || versions.has(String(conditionOf(row))));
  const holds = isNamed && (shown === undefined || shown === versioned.of(row, digest));
  return holds ? undefined : staleWrite(tool.audit.kind, { field });
}
