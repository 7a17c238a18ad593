import { restPaths } from '../../tools/core/addresses.ts';
import { isRestTool, type Tool } from '../../tools/core/define.ts';

const NAME = /\b[a-z]+(?:_[a-z]+)+\b/g;

/** A text for readers of REST: the first time that it names a tool, it says where that is. */
export function withAddresses(text: string, tools: readonly Tool[]): string {
  const told = new Set<string>();
  return text.replaceAll(NAME, (name) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined || !isRestTool(tool) || told.has(name)) return name;
    told.add(name);
    return `${name} (${tool.rest.method} ${restPaths(tool.surface, tool.rest)[0]})`;
  });
}
