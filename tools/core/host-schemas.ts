import type { z } from 'zod';
import type { Tool } from './define.ts';
import { hasReason, REASON_FIELD } from './reasons.ts';
import { KEY_FIELD } from './repeat-keys.ts';
import { asFields, isFields } from './schemas/checks.ts';
import { BRIEF_MARK, ID_MARK, type JsonSchema, MODEL_DEFAULT, markedSchema } from './schemas/json-schema.ts';
import { versionedBy } from './versions.ts';

/** A schema with an object at its root, as lists of tools want it. */
export type ObjectSchema = JsonSchema & { type: 'object' };

/**
 * The published form of an input: what hosts hand to a model, and what clients check arguments against.
 *
 * Each family of hosts refuses something else, and mostly the whole list for one word that it does not know, so
 * this keeps to what all of them take: one type a place, named fields, lists of one kind, words from an enum,
 * whole bounds. What is left out is said in the description, and checked by us. OpenAPI shows the schema whole.
 */
export function inputForHosts(schema: z.ZodType): ObjectSchema {
  return { type: 'object', ...plainInput(markedSchema(schema, 'input')) };
}

/**
 * The same of a capability: whatever changes something takes a reason, the version it is made on, and a key under which
 * it may be repeated.
 */
export function toolInputForHosts(tool: Pick<Tool, 'input' | 'effect' | 'audit'>): ObjectSchema {
  const { input, effect } = tool;
  const schema = inputForHosts(input);
  if (effect === 'read') return schema;
  const properties = asFields(schema['properties']);
  const version = versionedBy(tool)?.field;
  return {
    ...schema,
    properties: {
      ...properties,
      ...(hasReason({ input }) ? {} : { [REASON_FIELD]: { type: 'string', description: REASON_WORDS } }),
      ...(version === undefined ? {} : { [version]: { type: 'string', description: VERSION_WORDS } }),
      [KEY_FIELD]: { type: 'string', description: KEY_WORDS },
    },
  };
}

const REASON_WORDS = 'Why.';
const VERSION_WORDS = 'As read.';
const KEY_WORDS = 'UUID for safe repeats.';

const PLAIN = ['type', 'enum', 'required', 'items', 'properties', 'additionalProperties', 'format'];
const KEPT = ['type', 'enum', 'minimum', 'maximum', 'minItems', 'maxItems', 'required'];

/** A bound that is there for our own sake tells a reader nothing. */
const BOUNDLESS = 100_000;
/** Nobody has to be told that a longer list ends somewhere. */
const ENTRIES_TOLD = 10;

/** Of words that are all named nobody gives more than there are. */
function hasWords(items: unknown): boolean {
  return isFields(items) && 'enum' in items;
}

function plainInput(schema: JsonSchema): JsonSchema {
  const whole = withoutNull(schema);
  const shown = bounded(whole);
  if (whole['format'] === 'date-time') shown['format'] = 'date-time';
  if (isId(whole)) asText(shown);
  const description = described(whole, schema !== whole);
  if (description !== '') shown['description'] = description;
  if (isFields(whole['items'])) shown['items'] = plainItems(whole, whole['items']);
  if (whole['type'] === 'object') {
    shown['properties'] = mapped(whole['properties'], plainInput);
    // Where any field may come, a client must let it through; an extension is not worth a list that hosts refuse.
    const isOpen = isFields(whole['additionalProperties']) && whole[BRIEF_MARK] !== true;
    shown['additionalProperties'] = isOpen;
  }
  return shown;
}

/** The schema with those of its bounds that a caller may come near. */
function bounded(whole: JsonSchema): JsonSchema {
  const shown = pick(whole, KEPT);
  if (Number(whole['maximum']) >= BOUNDLESS) delete shown['maximum'];
  if (Number(whole['maxItems']) > ENTRIES_TOLD || hasWords(whole['items'])) delete shown['maxItems'];
  return shown;
}

function plainItems(list: JsonSchema, entry: JsonSchema): JsonSchema {
  const items = plainInput(entry);
  return list[BRIEF_MARK] === true ? unexplained(wordless(items)) : idless(items, entry);
}

/** Words of an entry that are named when another one is given, and not in the list. */
function wordless({ enum: _, ...items }: JsonSchema): JsonSchema {
  return items;
}

/** What a list of ids is of, its own description says. */
function idless(items: JsonSchema, whole: JsonSchema): JsonSchema {
  return isId(whole) ? unexplained(items) : items;
}

/** The same with its names and types alone, which say enough beside the description of the whole. */
function unexplained(explained: JsonSchema): JsonSchema {
  const schema = pick(explained, PLAIN);
  const { items, properties } = schema;
  return {
    ...schema,
    ...(isFields(items) ? { items: unexplained(items) } : {}),
    ...(isFields(properties) ? { properties: mapped(properties, unexplained) } : {}),
  };
}

/** What the list says of one answer. A host fetches all of it before its first call, and OpenAPI has it whole. */
const OUTPUT_BYTES = 300;

/**
 * The published form of an output: its fields and of what type they are, as many levels of them as the list has
 * room for, and the first in any case. Nothing is said to be required, because there are clients that hold failures
 * against it, which have other fields. No host shows it to a model; clients check answers against it.
 */
export function outputForHosts(schema: z.ZodType): ObjectSchema {
  const { $defs, ...whole } = markedSchema(schema, 'output');
  const named = asFields($defs);
  return deepest((levels) => ({ type: 'object', properties: {}, ...plainOutput(whole, named, levels) }));
}

function deepest(at: (levels: number) => ObjectSchema, levels = 1, shown = at(levels)): ObjectSchema {
  const deeper = at(levels + 1);
  const [bytes, more] = [shown, deeper].map((schema) => JSON.stringify(schema).length);
  return bytes === more || Number(more) > OUTPUT_BYTES ? shown : deepest(at, levels + 1, deeper);
}

function plainOutput(schema: JsonSchema, named: JsonSchema, levels: number): JsonSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref === 'string') {
    const target = named[$ref.replace('#/$defs/', '')];
    return plainOutput({ ...asFields(target), ...own }, named, levels);
  }
  const value = withoutNull(schema);
  const shown = { ...pick(value, ['type']), ...(levels > 0 ? within(value, named, levels) : {}) };
  if (isId(value)) asText(shown);
  return value === schema ? shown : orNull(shown);
}

/** What the schema of a list or a record has inside. */
function within({ items, properties }: JsonSchema, named: JsonSchema, levels: number): JsonSchema {
  if (isFields(items)) return { items: plainOutput(items, named, levels) };
  const fields = mapped(properties, (part) => plainOutput(part, named, levels - 1));
  return Object.keys(fields).length > 0 ? { properties: fields } : {};
}

/** One type a branch: a list of types is what some hosts have no word for. */
function orNull(shown: JsonSchema): JsonSchema {
  return { anyOf: [shown, { type: 'null' }] };
}

function isId(schema: JsonSchema): boolean {
  return schema[ID_MARK] === true;
}

/** An id may be given as it was got, and over MCP it is text both ways: no host takes a choice of two types. */
function asText(shown: JsonSchema): void {
  shown['type'] = 'string';
  delete shown['minimum'];
}

/** The schema of the value, where null may stand for it. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...others } = schema;
  if (Array.isArray(type)) return { ...others, type: type.find((one) => one !== 'null') };
  if (!Array.isArray(anyOf)) return schema;
  const [value] = anyOf.filter(isFields).filter((part) => part['type'] !== 'null');
  return { ...value, ...others };
}

/** What the schema says beside its description, in words, unless the description has the figure already. */
function described(schema: JsonSchema, nullable: boolean): string {
  const said = typeof schema['description'] === 'string' ? forHosts(schema['description']) : '';
  const figures = said.replaceAll(',', '');
  const { exclusiveMinimum: above, maxLength: longest, default: byDefault } = schema;
  const usual = schema[MODEL_DEFAULT] ?? byDefault;
  const isNew = (figure: unknown) => !figures.includes(String(figure));
  const more = [
    typeof above === 'number' && isNew(above) ? `More than ${above}.` : '',
    typeof longest === 'number' && longest >= TOLD_FROM && isNew(longest)
      ? `${longest} characters at the most.`
      : '',
    isPlain(usual) && usual !== false && isNew(usual) ? `Default: ${usual}.` : '',
    nullable ? 'null clears it.' : '',
  ];
  return [said, ...more].filter((text) => text !== '').join(' ');
}

/** An id is called by its field, and a second name for a field is for those who do not read the first one here. */
function forHosts(description: string): string {
  return description
    .replace(/ Also accepted as [\w.]+(?: or [\w.]+)?\./, '')
    .replace(/^Id of (?:the|a) [a-z ]+, such as (\S+)$/, 'Such as $1')
    .replace(/^Id of (?:the|a) [a-z ]+, a decimal number\.$/, 'A decimal number.');
}

/** Nobody comes near a shorter limit with a name, an id or an address, and texts have longer ones. */
const TOLD_FROM = 2_049;

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function pick(schema: JsonSchema, words: readonly string[]): JsonSchema {
  return Object.fromEntries(words.flatMap((word) => (word in schema ? [[word, schema[word]]] : [])));
}

function mapped(properties: unknown, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(asFields(properties)).map(([name, part]) => [name, change(asFields(part))]),
  );
}
