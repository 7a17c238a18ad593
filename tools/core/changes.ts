/** What differs between two states of a record, field by field, for the audit log. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, { from: unknown; to: unknown }> {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const field of ['updatedAt', 'revision']) fields.delete(field);
  return Object.fromEntries(
    [...fields]
      .map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }] as const)
      .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  );
}

/** What a field came to that somebody else was asked for, and that holds once they confirm it. */
export const ASKED = 'asked';
