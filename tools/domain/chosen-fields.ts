import { z } from 'zod';

/** The fields of a record that an answer is to have. */
export function fieldsOf<T extends Readonly<Record<string, string>>>(names: z.ZodEnum<T>) {
  return z.array(names).max(names.options.length).optional();
}

/** The fields that were chosen. An empty list chooses none: then the answer is as without it. */
export function chosenOf(fields: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return fields === undefined || fields.length === 0 ? undefined : new Set(fields);
}

/** What was chosen of a record; all of it where nothing was. */
export function onlyFields<T extends object>(record: T, fields: readonly string[] | undefined): Partial<T> {
  const chosen = chosenOf(fields);
  if (chosen === undefined) return record;
  const kept: Partial<T> = {};
  for (const name in record) if (chosen.has(name)) kept[name] = record[name];
  return kept;
}
