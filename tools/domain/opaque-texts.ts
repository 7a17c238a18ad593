/** Parts that are given out as one text, such as a cursor, and come back as whoever has it likes. */

export function opaqueOf(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a text; none where it holds anything that nobody gave out, such as what no column takes. */
export function partsIn(opaque: string): readonly (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(opaque, 'base64url').toString());
    return Array.isArray(parts) && parts.every(isPart) ? parts : [];
  } catch {
    return [];
  }
}

/** Bodies are free of NUL and of half pairs; what is written within a text is not. */
function isPart(part: unknown): part is string | number {
  if (typeof part === 'number') return Number.isSafeInteger(part);
  return typeof part === 'string' && !part.includes('\u0000') && part.isWellFormed();
}
