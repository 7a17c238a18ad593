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

/** The registry with a tool that breaks once, after all that its handler did and before it is answered. */
export function breaksAfter(name: string): { readonly families: readonly Family[]; next(): void } {
  let isNext = false;
  const breaking = (tool: Tool): Tool => ({
    ...tool,
    handler: async (ctx, input, found) => {
      const result = await tool.handler(ctx, input, found);
      if (!isNext) return result;
      isNext = false;
      throw new Error('Broken by a test.');
    },
  });
  return {
    families: families.map((family) => ({
      ...family,
      tools: family.tools.map((tool) => (tool.name === name ? breaking(tool) : tool)),
    })),
    next: () => {
      isNext = true;
    },
  };
}
