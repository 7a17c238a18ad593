import type { Answer } from './answers.ts';

/**
 * Keeps the credential that a seller is called with out of what it says: a buyer reads that, and the credential is
 * the storefront’s. It stands on the line, where every answer passes in either era and whatever was asked, so that
 * what lies behind reads, stores and shows answers without it.
 */
export interface HiddenCredential {
  answer(answer: Answer): Answer;
  text(said: string): string;
  /** What goes out, with the ids that the seller made of its credential as it knows them. */
  restored(args: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

const NOTHING_TO_HIDE: HiddenCredential = {
  answer: (answer) => answer,
  text: (said) => said,
  restored: (args) => args,
};

/** A shorter one would stand in texts by chance. */
const CREDENTIAL_MIN = 6;
const HIDDEN = '[secret]';
/** No answer goes deeper; what does is left out. */
const DEPTH_MAX = 64;

export function hiddenCredential(credential = ''): HiddenCredential {
  if (credential.length < CREDENTIAL_MIN) return NOTHING_TO_HIDE;
  const forms = formsOf(credential);
  const stands = (said: string) => forms.some((form) => said.includes(form));
  const hide = (said: string) => forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), said);
  // Where the credential is a word, fields of the protocol may be named by it.
  const name = /^[a-z_]+$/.test(credential) ? (said: string) => said : hide;
  const hidden: Change = { text: (said) => hide(inUsualForm(said)), name };
  // A credential may hold `$&`, which a text in its place would stand for something.
  const known = (id: string) => id.replaceAll(HIDDEN, () => credential);
  const restored: Change = {
    text: (said, field) => (OF_IDS.test(field) ? known(said) : said),
    name: (said) => said,
  };
  return {
    text: (said) => hidden.text(said, ''),
    answer: ({ message, products }) => ({
      message: changedFields(message, hidden),
      products: products && {
        ...products,
        slices: products.slices.map((slice) =>
          stands(slice) ? JSON.stringify(changed(JSON.parse(slice), hidden)) : slice,
        ),
      },
    }),
    restored: (args) => changedFields(args, restored),
  };
}

const OF_IDS = /(^|_)ids?$/;

/** A credential as it stands, in JSON within a text, and in an address. */
function formsOf(credential: string): string[] {
  const escaped = JSON.stringify(credential).slice(1, -1);
  const inAddress = credential.isWellFormed() ? encodeURIComponent(credential) : credential;
  return [...new Set([credential, escaped, escaped.replaceAll('/', '\\/'), inAddress])];
}

/** JSON may write any sign as a number: what is such a text is written as JSON is here. */
function inUsualForm(said: string): string {
  if (!said.includes('\\u')) return said;
  try {
    return JSON.stringify(JSON.parse(said));
  } catch {
    return said;
  }
}

/** What becomes of the texts in a value, and of the names of its fields. */
interface Change {
  text(said: string, field: string): string;
  name(said: string): string;
}

function changed(value: unknown, change: Change, { field, depth } = TOP): unknown {
  if (typeof value === 'string') return change.text(value, field);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH_MAX) return null;
  if (!Array.isArray(value)) return changedFields({ ...value }, change, depth + 1);
  return value.map((item) => changed(item, change, { field, depth: depth + 1 }));
}

const TOP = { field: '', depth: 0 };

function changedFields(
  fields: Readonly<Record<string, unknown>>,
  change: Change,
  depth = 0,
): Record<string, unknown> {
  const entries = Object.entries(fields).map(([field, value]) => [
    change.name(field),
    changed(value, change, { field, depth }),
  ]);
  return Object.fromEntries(entries);
}
