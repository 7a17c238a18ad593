/** The bytes of JSON that say where a text begins and ends, and where a value does. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Whether JSON holds more fields and entries than this, at all depths together; an empty list or object is one
 * more. Counted in the bytes, because putting tens of thousands of them together takes longer than anything else
 * that is done with a body. A body that is too short for so many is not even looked at.
 */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  if (json.length <= most) return false;
  let values = 0;
  for (let at = 0; at < json.length && values <= most; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values += 1;
  }
  return values > most;
}

/** Where the text that begins here ends. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
