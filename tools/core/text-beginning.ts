/** The first `max` characters of a text at most, without half of one at the end: strict readers take no such JSON. */
export function beginningOf(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
