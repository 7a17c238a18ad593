import { tools } from '../../../tools/registry.ts';

const known: ReadonlySet<string> = new Set(tools.map(({ name }) => name));

const TOOL = /\b[a-z]+(?:_[a-z]+)+\b/g;
const ADDRESS = /\b(?:GET|POST|PATCH|PUT|DELETE) \/\S+/g;

/** The tools that words name, in their order. */
export function toolsIn(words: string | undefined): string[] {
  return [...(words ?? '').matchAll(TOOL)].map(([name]) => name).filter((name) => known.has(name));
}

/** Where words lead to: tools, or addresses of REST. */
export function stepsIn(words: string | undefined): string[] {
  return [...toolsIn(words), ...[...(words ?? '').matchAll(ADDRESS)].map(([address]) => address)];
}
