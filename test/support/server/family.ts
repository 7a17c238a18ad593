import type { AnyDefinition, Tool } from '../../../tools/core/define.ts';
import { defineFamily, type Family } from '../../../tools/core/families.ts';
import type { StreamDefinition } from '../../../tools/core/streams.ts';

/** A family of these capabilities alone, on the buyers' surface. */
export function familyOf(tools: readonly AnyDefinition[], streams: readonly StreamDefinition[] = []): Family {
  return defineFamily({ surface: 'buyer', toolset: 'system', tools, streams });
}

/** A definition as such a family serves it. */
export function served(definition: AnyDefinition): Tool {
  const [tool] = familyOf([definition]).tools;
  if (tool === undefined) throw new Error('The family lost its tool.');
  return tool;
}
