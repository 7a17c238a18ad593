import type { z } from 'zod';
import { asFields, isFields } from './checks.ts';
import { ID_MARK, type JsonSchema, markedSchema } from './json-schema.ts';

type Fields = Readonly<Record<string, unknown>>;
type Change = (value: unknown) => unknown;

interface Answering {
  readonly output: z.ZodType;
}

/** One for each tool: undefined where its answers have no such id, as most have none. */
const changes = new WeakMap<Answering, { readonly change: Change | undefined }>();

/**
 * An answer with the ids that are numbers as text, as inputs over MCP are published to take them: what is copied
 * from one call into the next passes the clients that check it.
 */
export function withTextIds(tool: Answering, output: Fields): Fields {
  return changedBy((changes.get(tool) ?? keptChange(tool)).change, output);
}

/** The same of an input, for who is shown what to send. */
export function inputWithTextIds(schema: z.ZodType, input: Fields): Fields {
  return changedBy(changeOf(schema, 'input'), input);
}

function changedBy(change: Change | undefined, fields: Fields): Fields {
  const changed = change === undefined ? fields : change(fields);
  return isFields(changed) ? changed : fields;
}

function keptChange(tool: Answering) {
  const kept = { change: changeOf(tool.output, 'output') };
  changes.set(tool, kept);
  return kept;
}

function changeOf(schema: z.ZodType, io: 'input' | 'output'): Change | undefined {
  const { $defs, ...marked } = markedSchema(schema, io);
  return changeIn(marked, asFields($defs));
}

/** What to do with a value of this schema; undefined where there is nothing to do in it. */
function changeIn(schema: JsonSchema, named: JsonSchema): Change | undefined {
  if (schema[ID_MARK] === true) return (value) => (typeof value === 'number' ? String(value) : value);
  const { $ref, anyOf, items, properties } = schema;
  if (typeof $ref === 'string') return changeIn(asFields(named[$ref.replace('#/$defs/', '')]), named);
  if (Array.isArray(anyOf)) return changeIn(asFields(anyOf.find((part) => part.type !== 'null')), named);
  if (isFields(items)) return inList(changeIn(items, named));
  return isFields(properties) ? inFields(properties, named) : undefined;
}

/** Most answers have nothing to change in most of their places: a copy is made where there is. */
function inList(change: Change | undefined): Change | undefined {
  return (
    change &&
    ((value) => {
      if (!Array.isArray(value)) return value;
      const changed = value.map(change);
      return changed.some((item, index) => item !== value[index]) ? changed : value;
    })
  );
}

function inFields(properties: JsonSchema, named: JsonSchema): Change | undefined {
  const inside = Object.entries(properties).flatMap(([name, part]) => {
    const change = changeIn(asFields(part), named);
    return change === undefined ? [] : [{ name, change }];
  });
  if (inside.length === 0) return undefined;
  return (value) => (isFields(value) ? changedIn(value, inside) : value);
}

interface Part {
  readonly name: string;
  readonly change: Change;
}

function changedIn(fields: Fields, inside: readonly Part[]): Fields {
  let changed: Record<string, unknown> | undefined;
  for (const { name, change } of inside) {
    const part = fields[name];
    const other = part === undefined ? part : change(part);
    if (other === part) continue;
    // One copy of the same shape: this is on the way of every answer.
    changed ??= { ...fields };
    changed[name] = other;
  }
  return changed ?? fields;
}
