/** Events that a seller may send beside its answer; whoever sends more is not answering. */
const EVENTS_MAX = 1_000;

/** A stream of events that is no answer: it has too much beside it, or ended without. */
export class EventStreamError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EventStreamError';
  }
}

/**
 * Reads the data of events from bytes that come in pieces of any size (WHATWG, server-sent events). Ids and times
 * to wait are not read: nothing here is ever asked for again because a seller said so.
 */
export function eventReader() {
  const decoder = new TextDecoder();
  let open = '';
  let data: string[] = [];
  let seen = 0;
  /** The data of the event that the line ends, if it ends one. */
  const take = (line: string): string[] => {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) return [];
    const event = data.join('\n');
    data = [];
    seen += 1;
    if (seen > EVENTS_MAX) throw new EventStreamError('The stream has too much beside the answer.');
    return [event];
  };
  return {
    read: (bytes: Uint8Array): string[] => {
      const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n');
      const last = others.pop();
      if (last === undefined) {
        open += first;
        return [];
      }
      const lines = [open + first, ...others];
      open = last;
      return lines.flatMap((line) => take(line.replace(/\r$/, '')));
    },
  };
}
