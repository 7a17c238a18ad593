import type { Tool } from '../../tools/core/define.ts';
import type { Family } from '../../tools/core/families.ts';
import { families } from '../../tools/registry.ts';

/** What is to happen once, after a tool has read what it is about and before it writes. */
export interface Between {
  readonly families: readonly Family[];
  next(work: () => Promise<unknown>): void;
}

/** The registry with a gap in one of its tools, in which a test lets somebody else write. */
export function writesBetween(name: string): Between {
  let waiting: (() => Promise<unknown>) | undefined;
  const withGap = (tool: Tool): Tool => ({
    ...tool,
    handler: async (ctx, input, found) => {
      const work = waiting;
      waiting = undefined;
      await work?.();
      return tool.handler(ctx, input, found);
    },
  });
  return {
    families: families.map((family) => ({
      ...family,
      tools: family.tools.map((tool) => (tool.name === name ? withGap(tool) : tool)),
    })),
    next: (work) => {
      waiting = work;
    },
  };
}
