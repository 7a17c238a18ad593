/**
 * The rows of a CSV text by the names of its first line (RFC 4180): quotes around a field, doubled within it. An
 * empty line is passed over.
 */
export function csvRows(text: string): Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = linesOf(text.replace(/^\ufeff/, ''));
  return rows.map((fields) =>
    Object.fromEntries(head.map((name, index) => [name.trim(), fields[index]?.trim() ?? ''])),
  );
}

function linesOf(text: string): string[][] {
  const lines: string[][] = [];
  for (const [line = ''] of text.matchAll(/(?:"(?:[^"]|"")*"|[^"\r\n])+/g)) lines.push(fieldsOf(line));
  return lines.filter((fields) => fields.some((field) => field !== ''));
}

function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}
