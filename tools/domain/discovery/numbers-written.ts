/** Numbers as they are written in plain words, of which the same mark parts thousands or decimals. Pure. */

/** What may be one, to be put into an expression. */
export const NUMBER_WRITTEN =
  "\\d{1,3}(?:[ \\u00a0\\u202f’'](?:\\d{3}))+(?![\\d\\p{L}])(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*";

/**
 * The last mark parts decimals, unless it stands there several times, or is a comma before three digits: “1,500” and
 * “1,234,567” have thousands, “1,5”, “0,125”, “1.500” and “1.500,00” decimals.
 */
export function numberRead(written: string): number {
  const plain = written.replaceAll(/[^\d.,]/g, '');
  const place = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','));
  if (place === -1 || hasThousandsAlone(plain, place)) return Number(plain.replaceAll(/[.,]/g, ''));
  return Number(`${plain.slice(0, place).replaceAll(/[.,]/g, '')}.${plain.slice(place + 1)}`);
}

function hasThousandsAlone(plain: string, place: number): boolean {
  const [head, tail, mark = ''] = [plain.slice(0, place), plain.slice(place + 1), plain[place]];
  if (tail.length !== 3) return false;
  return head.includes(mark) || (mark === ',' && /^[1-9]\d{0,2}$/.test(head));
}
