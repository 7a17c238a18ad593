import { z } from 'zod';
import type { Rest, Tool } from '../../tools/core/define.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** What a capability gives, and where REST shows something else. */
export function givenBack({ output, rest }: Pick<Tool, 'output' | 'rest'>): string {
  const overRest = rest === undefined ? [] : differencesOf(rest, output.shape);
  return [
    `Gives ${named(Object.keys(output.shape))}.`,
    ...(overRest.length === 0 ? [] : [`Over REST ${overRest.join(', ')}.`]),
  ].join(' ');
}

function differencesOf(rest: Rest, output: Shape): string[] {
  return [
    ...(rest.shows === undefined ? [] : shownOtherwise(rest.shows.schema, output)),
    ...(rest.list === undefined ? [] : ['with `meta.pagination`']),
    ...bodilessOf(rest),
  ];
}

/** All of its fields where it has not those of the output, and only what is added or changed where it has. */
function shownOtherwise(schema: z.ZodType, output: Shape): string[] {
  if (schema instanceof z.ZodArray) return ['the list alone'];
  const shown: Shape = schema instanceof z.ZodObject ? schema.shape : {};
  const names = Object.keys(shown);
  if (Object.keys(output).some((name) => !(name in shown))) return [named(names)];
  const added = names.filter((name) => !(name in output));
  const changed = names.filter((name) => name in output && schemaOf(shown[name]) !== schemaOf(output[name]));
  return [
    ...(added.length === 0 ? [] : [`also ${named(added)}`]),
    ...(changed.length === 0 ? [] : [`another shape of ${named(changed)}`]),
  ];
}

function schemaOf(field: z.ZodType | undefined): string {
  return field === undefined ? '' : JSON.stringify(jsonSchema(field, 'output'));
}

/** Nothing is said where it is done, unless there is something to say after all. */
function bodilessOf({ status, instead }: Rest): string[] {
  if (status !== 204) return [];
  const something =
    instead === undefined ? [] : [`or ${instead.status}: ${instead.means.replace(/\.$/, '')}`];
  return ['204 without a body', ...something];
}

function named(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
