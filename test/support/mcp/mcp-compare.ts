import { messagesOf, type RawAnswer } from './mcp.ts';

/** Headers that say how an answer travelled, or when; not what it is. */
const TRANSPORT = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);
const COUNTS = /^ratelimit/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** In an entity tag: made of all that an answer shows, times too. */
const FINGERPRINT = /^(?<version>"\d*)-[0-9a-f]{32}"$/;
const ID = /\b([a-z]{2,5})_[A-Za-z0-9]{10,}\b/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const REQUEST_ID = /\b(?:direct|official)-\d+\b/g;

/** What of an answer has to be the same in both lanes: ids, times and numbers of rows by their order. */
export function essence(answer: RawAnswer) {
  const names = namer();
  const headers = Object.entries(answer.headers)
    .filter(([name]) => !TRANSPORT.has(name))
    .map(([name, value]) => [name, COUNTS.test(name) ? 'counted' : plain(name, String(value))] as const)
    .sort(byName);
  const messages = messagesOf(answer);
  // How far a call got before somebody looked is up to the clock; its result is not.
  const last = messages.length > 1 ? messages.slice(-1) : messages;
  return { status: answer.status, headers: Object.fromEntries(headers), messages: last.map(opened) };

  /** The id of a message is its caller’s, and has to come back as it was. */
  function opened(message: unknown): unknown {
    if (typeof message !== 'object' || message === null || !('id' in message))
      return neutral(message, '', names);
    const { id, ...rest } = message;
    return { messageId: id, rest: neutral(rest, '', names) };
  }

  function plain(name: string, value: string): string {
    return name === 'content-type' ? value.replace(/;.*/, '') : named(value, names);
  }
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

type Namer = (kind: string, id: string) => string;

/** Calls the first id of a kind `kind 1`, the next one `kind 2`. */
function namer(): Namer {
  const seen = new Map<string, string>();
  return (kind, id) => {
    const key = `${kind} ${id}`;
    const known = seen.get(key) ?? `${kind} ${seen.size + 1}`;
    seen.set(key, known);
    return known;
  };
}

function named(text: string, names: Namer): string {
  return text
    .replaceAll(TIME, 'time')
    .replace(FINGERPRINT, '$<version>-fingerprint"')
    .replaceAll(REQUEST_ID, 'request')
    .replaceAll(UUID, (id) => names('uuid', id))
    .replaceAll(ID, (id, kind: string) => names(kind, id));
}

function neutral(value: unknown, key: string, names: Namer): unknown {
  if (key === 'responseTimeMs') return 'time';
  // Made of the id of the request, which is another one in each lane.
  if (key === 'trace') return 'request';
  if (/[a-z]Ids?$|^id$/.test(key) && /^\d+$/.test(String(value))) return names('number', String(value));
  if (key === 'platformId') return names(key, String(value));
  if (typeof value === 'string') return neutralText(value, names);
  if (Array.isArray(value)) return value.map((item) => neutral(item, key, names));
  if (typeof value !== 'object' || value === null) return value;
  // In one order: the lanes write the members of an object in different ones.
  const members = Object.entries(value).sort(byName);
  return Object.fromEntries(members.map(([name, part]) => [name, neutral(part, name, names)]));
}

/** A text block that holds JSON is looked into. */
function neutralText(text: string, names: Namer): unknown {
  if (!text.startsWith('{"')) return named(text, names);
  return { json: neutral(JSON.parse(text), '', names) };
}
