import type { CalledServer } from './context.ts';
import type { Tool } from './define.ts';
import { isFields } from './schemas/checks.ts';
import { MODEL_DEFAULT } from './schemas/json-schema.ts';

type Reading = Pick<Tool, 'input' | 'spellings'>;

/** What a call over MCP means by the fields that it leaves out, where that is less than elsewhere. */
export function withModelDefaults(tool: Reading, server: CalledServer | undefined, raw: unknown): unknown {
  if (server === undefined || !isFields(raw)) return raw;
  const defaults = known.get(tool) ?? keptDefaults(tool);
  if (defaults.length === 0) return raw;
  const left = defaults.filter(([field]) => !isGiven(tool, raw, field));
  return left.length === 0 ? raw : { ...Object.fromEntries(left), ...raw };
}

type Defaults = readonly (readonly [field: string, usual: unknown])[];

/** Most capabilities have none. */
const known = new WeakMap<Reading, Defaults>();

function keptDefaults(tool: Reading): Defaults {
  const defaults = Object.entries(tool.input.shape).flatMap(([field, schema]) => {
    const usual = schema.meta()?.[MODEL_DEFAULT];
    return usual === undefined ? [] : [[field, usual] as const];
  });
  known.set(tool, defaults);
  return defaults;
}

function isGiven({ spellings }: Reading, raw: Readonly<Record<string, unknown>>, field: string): boolean {
  return [field, ...(spellings?.[field] ?? [])].some((name) => name in raw);
}
