import agreed from './agreed-requests.json' with { type: 'json' };

/**
 * What was agreed with the callers of such services that a request may hold, copied from there for each operation
 * that is served: every place of a query or body, `products[].pageId` for one in the entries of a list, with what it
 * takes. Below a field that is refused as not built nothing is written down.
 *
 * `text 1..255`, `int 1..100`, `number >0..` and `list ..20` have their bounds, `text of a form` a pattern beside;
 * words of closed lists stand in quotes, alternatives between bars. `always` is what no request may leave out.
 */
export const AGREED: Readonly<Record<string, Readonly<Record<string, string>>>> = agreed;

export interface Agreed {
  readonly always: boolean;
  readonly words: readonly (string | boolean | number)[];
  readonly kinds: readonly AgreedKind[];
}

export interface AgreedKind {
  readonly kind: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** That the least of it is not taken itself. */
  readonly above: boolean;
  readonly hasForm: boolean;
}

const ALWAYS = ', always';
const KIND = /^(\w+)(?: (>?)(-?[\d.]*?)\.\.([\d.]*))?( of a form)?$/;

/** What is written of one place; of answers kinds and words alone, without bounds. */
export function readAgreed(written: string): Agreed {
  const parts = written.replace(ALWAYS, '').split(' | ');
  const isWord = (part: string) => /^('.*'|true|false|-?\d+)$/.test(part);
  return {
    always: written.endsWith(ALWAYS),
    words: parts.filter(isWord).map(wordIn),
    kinds: parts.filter((part) => !isWord(part)).map(kindIn),
  };
}

function wordIn(part: string): string | boolean | number {
  return part.startsWith("'") ? part.slice(1, -1) : JSON.parse(part);
}

function kindIn(part: string): AgreedKind {
  const [whole, kind = '', above, min, max, form] = KIND.exec(part) ?? [];
  if (whole === undefined) throw new Error(`No kind of value is written as ${part}.`);
  return {
    kind,
    min: numberIn(min),
    max: numberIn(max),
    above: above === '>',
    hasForm: form !== undefined,
  };
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}
