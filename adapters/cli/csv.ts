/** A text by the names of its first line. */
interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Reads a CSV text (RFC 4180): quotes around a field, doubled within it. An empty line is passed over. */
export function readCsv(text: string): Csv {
  const [head = [], ...rows] = linesOf(text.replace(/^\ufeff/, ''));
  const columns = head.map((name) => name.trim());
  return {
    columns,
    rows: rows.map((fields) =>
      Object.fromEntries(columns.map((name, index) => [name, fields[index]?.trim() ?? ''])),
    ),
  };
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
