/** How often a header was sent, by its name in lower case: Node keeps the first of some and drops the others. */
export function timesSent(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  // Names and values in turn.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times;
}
