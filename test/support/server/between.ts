import type { Context } from '../../../tools/core/context.ts';
import type { Tool } from '../../../tools/core/define.ts';
import type { Family } from '../../../tools/core/families.ts';
import { families } from '../../../tools/registry.ts';

/** What is to happen once, after a tool has read what it is about and before it writes. */
export interface Between {
  readonly families: readonly Family[];
  next(work: () => Promise<unknown>): void;
}

/** The registry with a gap in one of its tools, in which a test lets somebody else write. */
export function writesBetween(name: string): Between {
  return gapFor([name], (tool, first) => async (ctx, input, found) => {
    await first();
    return tool.handler(ctx, input, found);
  });
}

/** The same with the gap where the tool opens the transaction that stores. */
export function writesBeforeStoring(...names: readonly string[]): Between {
  return gapFor(names, (tool, first) => (ctx, input, found) => {
    const write: Context['write'] = async (work, subject) => {
      await first();
      return ctx.write(work, subject);
    };
    return tool.handler(withWrite(ctx, write), input, found);
  });
}

function withWrite(ctx: Context, write: Context['write']): Context {
  return new Proxy(ctx, {
    get: (target, key) => {
      if (key === 'write') return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

type First = () => Promise<unknown>;

function gapFor(names: readonly string[], handlerOf: (tool: Tool, first: First) => Tool['handler']): Between {
  let waiting: First | undefined;
  const first: First = async () => {
    const work = waiting;
    waiting = undefined;
    await work?.();
  };
  const withGap = (tool: Tool): Tool => ({ ...tool, handler: handlerOf(tool, first) });
  return {
    families: families.map((family) => ({
      ...family,
      tools: family.tools.map((tool) => (names.includes(tool.name) ? withGap(tool) : tool)),
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
