import type { AnyDefinition, OfFamily, Tool } from './define.ts';
import type { Kind } from './kinds.ts';
import type { AnyMachine } from './machines.ts';
import type { Stream, StreamDefinition } from './streams.ts';

interface FamilyParts extends OfFamily {
  readonly tools: readonly AnyDefinition[];
  readonly streams?: readonly StreamDefinition[];
  /** Kinds that its tools write of in the audit log beside those they are about. */
  readonly alsoWritesOf?: readonly Kind[];
  /** The states its objects go through, for the reference. */
  readonly machines?: readonly AnyMachine[];
}

/** Capabilities of one subject, on one surface, chosen together. */
export interface Family extends OfFamily {
  readonly tools: readonly Tool[];
  readonly streams: readonly Stream[];
  readonly kinds: readonly Kind[];
  readonly machines: readonly AnyMachine[];
}

/** Everything that is served, as the capabilities that tell of the others see it. */
export interface Registry {
  readonly families: readonly Family[];
  readonly tools: readonly Tool[];
  readonly streams: readonly Stream[];
}

export function registryOf(families: readonly Family[]): Registry {
  return {
    families,
    tools: families.flatMap(({ tools }) => tools),
    streams: families.flatMap(({ streams }) => streams),
  };
}

export function defineFamily(parts: FamilyParts): Family {
  const { surface, toolset, inDefaultList, tools, streams = [], alsoWritesOf = [], machines = [] } = parts;
  const subjects = tools.flatMap(({ audit }) => audit?.kind ?? []);
  const place = { surface, toolset };
  const ofFamily: OfFamily = { ...place, ...(inDefaultList ? { inDefaultList } : {}) };
  return {
    ...ofFamily,
    tools: tools.map((tool) => ({ ...tool, ...(tool.unlisted ? place : ofFamily) })),
    streams: streams.map((stream) => ({ ...stream, ...ofFamily })),
    kinds: [...new Set([...subjects, ...alsoWritesOf])],
    machines,
  };
}
