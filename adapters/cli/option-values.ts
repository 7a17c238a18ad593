import { z } from 'zod';
import { type Permission, permissions } from '../../store/api-keys.ts';
import { isDay } from '../../tools/core/schemas/checks.ts';
import { messageOf } from '../../tools/core/schemas/issue-words.ts';
import { beginningOf } from '../../tools/core/text-beginning.ts';
import { dateTime } from '../../tools/domain/time.ts';

/** What is given on the command line, read by the schemas that the service has for it. */

const SHOWN_MAX = 80;

/** The value of an option or argument as the schema takes it; what it does not take is refused under its name. */
export function given<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const said = typeof value === 'string' ? ` ${quoted(value)}` : '';
  throw new Error(`${name}${said} cannot be used: ${complaintsOf(read.error, value)}`);
}

/** The same where the option may be left out. */
export function givenIfAny<T>(name: string, schema: z.ZodType<T>, value: unknown): T | undefined {
  return value === undefined ? undefined : given(name, schema, value);
}

/** What is wrong, place by place, in the words that callers of the service read. */
export function complaintsOf({ issues }: z.ZodError, value: unknown): string {
  return issues
    .map((issue) => {
      const place = issue.path.map(String).join('.');
      const message = messageOf(issue, [], value);
      return place === '' ? message : `${place}: ${message}`;
    })
    .join(' ');
}

/** As JSON, so that nothing in it moves the cursor of a terminal. */
function quoted(text: string): string {
  return JSON.stringify(text.length <= SHOWN_MAX ? text : `${beginningOf(text, SHOWN_MAX)}…`);
}

/** A moment, or the beginning of a day in UTC. */
export const momentOrDay = z
  .string()
  .trim()
  .transform((text) => (isDay(text) ? `${text}T00:00:00Z` : text))
  .pipe(dateTime);

/** Reads the id of an object. */
export function idOf(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new Error(`${quoted(text)} is not an id. Give the number that its list shows, such as 1.`);
  return Number(text);
}

export function permissionList(text: string): Permission[] {
  const list = text.split(',').map((name) => {
    const known = permissions.find((permission) => permission === name.trim());
    if (known === undefined)
      throw new Error(`${quoted(name)} is no permission. Give some of: ${permissions.join(', ')}.`);
    return known;
  });
  if (new Set(list).size < list.length) throw new Error('Give each permission once.');
  return list;
}
