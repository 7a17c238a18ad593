import { z } from 'zod';
import { isFields } from './checks.ts';
import { bare, schemaAt } from './schema-parts.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * In the meta of an object: its fields may be written in camel case and in snake case. Records of media buys show
 * them in snake case, and what is copied from there has to be taken (contract: entries of `mediaBuys[]`).
 */
export const BOTH_CASES = 'bothCases';

/** The name of a field in the other case. */
export function inOtherCase(name: string): string {
  return name.includes('_')
    ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields of an object that takes both cases. */
export function fieldsInBothCases(schema: z.ZodType | undefined): Fields | undefined {
  const here = schema && bare(schema);
  return here instanceof z.ZodObject && here.meta()?.[BOTH_CASES] === true ? here.shape : undefined;
}

/** A path of what was read, with its fields in the case in which the caller wrote them. */
export function asWritten(schema: z.ZodType, input: unknown, path: string): string {
  const steps = path.split('.');
  const read: (string | number)[] = [];
  let here = input;
  const written = steps.map((step) => {
    const takesBoth = fieldsInBothCases(schemaAt(schema, read)) !== undefined;
    const name = takesBoth ? nameIn(here, step) : step;
    read.push(Array.isArray(here) ? Number(step) : step);
    here = isFields(here) || Array.isArray(here) ? Reflect.get(here, name) : undefined;
    return name;
  });
  return written.join('.');
}

function nameIn(fields: unknown, name: string): string {
  if (!isFields(fields) || Object.hasOwn(fields, name)) return name;
  const other = inOtherCase(name);
  return Object.hasOwn(fields, other) ? other : name;
}
