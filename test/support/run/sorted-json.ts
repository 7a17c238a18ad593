const WIDTH = 110;

/**
 * JSON with the keys of every object in order, so that two of them differ where their meaning does. What fits
 * on a line stands on one.
 */
export function sortedJson(value: unknown): string {
  // What JSON cannot say is left out before anything is measured.
  return `${printed(JSON.parse(JSON.stringify(value)), { indent: '', taken: 0 })}\n`;
}

interface Place {
  readonly indent: string;
  /** How much of the line is taken already. */
  readonly taken: number;
}

function printed(value: unknown, { indent, taken }: Place): string {
  const line = onOneLine(value);
  if (indent.length + taken + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return `[\n${filled(value, inner)}\n${indent}]`;
    const items = value.map((item) => inner + printed(item, { indent: inner, taken: 1 }));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return line;
  const members = sortedEntries(value).map(([name, item]) => {
    const key = `${JSON.stringify(name)}: `;
    return inner + key + printed(item, { indent: inner, taken: key.length + 1 });
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** Words one behind the other, as many on a line as it takes. */
function filled(words: readonly unknown[], indent: string): string {
  const lines: string[] = [];
  for (const word of words.map((one) => JSON.stringify(one))) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 3 > WIDTH) lines.push(indent + word);
    else lines[lines.length - 1] = `${last}, ${word}`;
  }
  return lines.join(',\n');
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = sortedEntries(value).map(([name, item]) => `${JSON.stringify(name)}: ${onOneLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}
