/**
 * For a check of several fields: it runs though single fields are wrong, so that every problem is reported at
 * once. The fields it looks at may then be of any type.
 */
export const besideOtherProblems = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
};

/** An object with named fields: neither null nor a list. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of what is an object; none of anything else. */
export function asFields(value: unknown): Record<string, unknown> {
  return isFields(value) ? value : {};
}

/** The entries of what is a list; none of anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether a value is a day, `2030-03-01`, of which no moment is named. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value);
}

/** Whether one number is not above another. What is no number is another complaint, and is held against nothing. */
export function isNoMore(one: unknown, other: unknown): boolean {
  return !(typeof one === 'number' && typeof other === 'number' && one > other);
}

/** Whether two values are written alike as JSON, the order of their fields too. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
