import type { JsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { asSchema } from '../support/house/schema-walk.ts';

const DEFINITION = '#/$defs/';

/** Schemas that have an id, each written once, and what is left of the others: references to them. */
export class SharedRecords {
  readonly #records = new Map<string, JsonSchema>();

  /** The schema with its records taken out. The same id always stands for the same record. */
  extract(schema: JsonSchema): JsonSchema {
    const { $defs: records, ...own } = schema;
    for (const [id, record] of Object.entries(asSchema(records))) this.#add(id, pointing(asSchema(record)));
    return asSchema(pointing(own));
  }

  /** By id, in order of the alphabet. */
  all(): [string, JsonSchema][] {
    return [...this.#records].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  #add(id: string, record: unknown): void {
    const known = this.#records.get(id);
    if (known === undefined) this.#records.set(id, asSchema(record));
    else if (JSON.stringify(known) !== JSON.stringify(record)) {
      throw new Error(`Two schemas have the id ${id}.`);
    }
  }
}

/** The same with every reference to a definition as one to the file of its record. */
function pointing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointing);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === '$ref' && typeof item === 'string' ? fileFor(item) : pointing(item),
    ]),
  );
}

function fileFor(reference: string): string {
  if (!reference.startsWith(DEFINITION)) throw new Error(`${reference} is no record with an id.`);
  return `../records/${reference.slice(DEFINITION.length)}.json`;
}
