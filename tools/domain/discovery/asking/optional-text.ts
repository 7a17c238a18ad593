import { boundedText } from '../../text.ts';

const TEXT_MAX = 2_000;

/** A field with a text of a seller, bounded; nothing where there is none. */
export function optionalText<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  if (value === undefined || value === '') return {};
  const entry: { [P in K]?: string } = {};
  entry[key] = boundedText(value, TEXT_MAX);
  return entry;
}
