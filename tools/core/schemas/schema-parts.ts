import { z } from 'zod';

/** The schema of a field at a path, as far as it can be followed there. */
export function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let here: z.ZodType | undefined = schema;
  for (const step of path) here = here && inside(bare(here), step);
  return here;
}

/** The names of the fields that an object has here; none where no object is wanted. */
export function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const here = schemaAt(schema, path);
  const inner = here && bare(here);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

/** The schema without what wraps it: optional, default, nullable, pipe. */
export function bare(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return bareIfSchema(schema.unwrap(), schema);
  }
  if (!(schema instanceof z.ZodPipe)) return schema;
  return bareIfSchema(schema.in instanceof z.ZodTransform ? schema.out : schema.in, schema);
}

function bareIfSchema(inner: unknown, otherwise: z.ZodType): z.ZodType {
  return inner instanceof z.ZodType ? bare(inner) : otherwise;
}

function inside(schema: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  const part: unknown =
    schema instanceof z.ZodArray
      ? schema.element
      : schema instanceof z.ZodObject && typeof step === 'string'
        ? schema.shape[step]
        : undefined;
  return part instanceof z.ZodType ? part : undefined;
}
