import { isFields } from './checks.ts';
import type { CalledServer } from './context.ts';
import type { Tool } from './define.ts';
import { MODEL_DEFAULT } from './json-schema.ts';

type Reading = Pick<Tool, 'input' | 'spellings'>;

/** What a call over MCP means by the fields that it leaves out, where that is less than elsewhere. */
export function withModelDefaults(tool: Reading, server: CalledServer | undefined, raw: unknown): unknown {
  if (server === undefined || !isFields(raw)) return raw;
  const left = Object.entries(defaultsOf(tool)).filter(([field]) => !isGiven(tool, raw, field));
  return left.length === 0 ? raw : { ...Object.fromEntries(left), ...raw };
}

const known = new WeakMap<Reading, Readonly<Record<string, unknown>>>();

function defaultsOf(tool: Reading): Readonly<Record<string, unknown>> {
  const defaults = known.get(tool) ?? marked(tool);
  known.set(tool, defaults);
  return defaults;
}

function marked({ input }: Reading): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(input.shape).flatMap(([field, schema]) => {
      const usual = schema.meta()?.[MODEL_DEFAULT];
      return usual === undefined ? [] : [[field, usual]];
    }),
  );
}

function isGiven({ spellings }: Reading, raw: Readonly<Record<string, unknown>>, field: string): boolean {
  return [field, ...(spellings?.[field] ?? [])].some((name) => name in raw);
}
