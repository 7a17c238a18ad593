import { z } from 'zod';
import type { Exchange } from './call-context.ts';
import type { Tool } from './define.ts';
import { asFields } from './schemas/checks.ts';
import { hiddenIn } from './schemas/hidden-characters.ts';
import { mended } from './schemas/input-mending.ts';
import { bare } from './schemas/schema-parts.ts';
import { respell } from './schemas/spellings.ts';

type Fields = Readonly<Record<string, unknown>>;
type Naming = Pick<Tool, 'input' | 'spellings' | 'audit'>;

/** What an id has at the most, whatever its field would take. */
const ID_CHARACTERS = 255;

/**
 * The id of the object that an input names which did not pass: of all that stands there only this is read, by the
 * schema of its own field, so that what is no id of the kind is not kept.
 */
export function namedIn({ input: schema, spellings = {}, audit }: Naming, raw: unknown) {
  const id = audit?.ofInput?.(readSingly(schema, respell(raw, spellings).input));
  return id === undefined || !canBeKept(String(id)) ? undefined : id;
}

const ADVERTISER_FIELDS = ['advertiserId', 'advertiser_id'];

/** The advertiser that such an input names, in whichever of its objects; nobody has looked whose it is. */
export function advertiserNamedIn({ input, spellings = {} }: Omit<Naming, 'audit'>, raw: unknown) {
  return advertiserIn(input, respell(raw, spellings).input);
}

function advertiserIn(schema: z.ZodObject, given: unknown): number | undefined {
  const fields = asFields(given);
  for (const name of Object.keys(schema.shape)) {
    const id = advertiserAt(schema, name, fields);
    if (id !== undefined) return id;
  }
  return undefined;
}

function advertiserAt(schema: z.ZodObject, name: string, fields: Fields): number | undefined {
  const inner = bare(schema.shape[name]);
  if (inner instanceof z.ZodObject) return advertiserIn(inner, fields[name]);
  const id = ADVERTISER_FIELDS.includes(name) ? fieldOf(schema, name, fields) : undefined;
  return typeof id === 'number' ? id : undefined;
}

/** What is there for the log of a change whose input is not or cannot be read; a read is in no log. */
export function namedBeforehand({ effect }: Pick<Tool, 'effect'>, { beforehand }: Exchange): unknown {
  return effect === 'read' ? undefined : beforehand?.();
}

/** Where a field takes any text, this is text that was refused: not every database stores all of it. */
function canBeKept(text: string): boolean {
  return text.length <= ID_CHARACTERS && hiddenIn([text]) === undefined;
}

/** An input whose fields are each read when they are asked for; one that does not pass is undefined. */
function readSingly(schema: z.ZodObject, given: unknown): Fields {
  const fields = asFields(given);
  const read = {};
  for (const name of Object.keys(schema.shape)) {
    Object.defineProperty(read, name, { enumerable: true, get: () => fieldOf(schema, name, fields) });
  }
  return read;
}

function fieldOf({ shape }: z.ZodObject, name: string, fields: Fields): unknown {
  const field: z.ZodType = shape[name];
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const inner = bare(field);
  if (inner instanceof z.ZodObject) return readSingly(inner, value);
  const alone = z.object({ [name]: field });
  const first = alone.safeParse({ [name]: value });
  if (first.success) return first.data[name];
  const better = mended({
    schema: alone,
    input: { [name]: value },
    issues: first.error.issues,
    reads: false,
  });
  return better === undefined ? undefined : alone.safeParse(better).data?.[name];
}
