// A thread of its own that reads the large answers of sellers, so that none of them holds up everybody else. It
// is plain JavaScript without imports of ours, because Node starts it from its file: sources, build and bundle alike.
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Bounds of what goes back, whatever came: `products` are entries of the list of products. `names` are the fields that
 * are read at all (`read-names.ts`), what counts most first.
 */
const { products: PRODUCTS_MAX, names: READ_NAMES } = workerData;
const RANKS = new Map(READ_NAMES.map((name, rank) => [name, rank]));
/** Objects whose fields are named by whoever wrote them: all of these are read. */
const OPEN_NAMES = new Set(['properties', '$defs', 'definitions']);
const LIST_MAX = 1_000;
const DEPTH_MAX = 32;
const TEXT_MAX = 16_384;
const NAME_MAX = 256;
/** Values in one product, and in everything that is not a product. */
const PRODUCT_VALUES_MAX = 2_000;
const REST_VALUES_MAX = 20_000;
/** Characters of texts and names in either: who reads what goes back reads it in one go. */
const CHARACTERS_MAX = 1_048_576;
/** Blocks of text that go back. */
const BLOCKS_MAX = 100;
/** Where an answer may stand in another, and how deep. As in `adcp-reading.ts`. */
const ENVELOPE_LEVELS = 2;
const ENVELOPES = ['media_buy', 'result', 'data'];
/** Products go back in slices of so many at the most, and of about so many characters: each is read in one go. */
const SLICE_PRODUCTS = 50;
const SLICE_CHARACTERS = 65_536;

parentPort?.on('message', ({ bytes, asked }) => {
  try {
    parentPort?.postMessage(read(new TextDecoder().decode(bytes), asked));
  } catch {
    parentPort?.postMessage({});
  }
});

/** The message without its products, and the products in slices, all as JSON. */
function read(text, asked) {
  const message = responseIn(JSON.parse(text));
  const result = message?.result;
  const ids = idsIn(asked);
  if (!isObject(result)) return { message: cut(message) };
  const { content, structuredContent, ...others } = result;
  const said = saidIn(structuredContent ?? undefined, content);
  const holders = said.flatMap((one) => [one, ...ENVELOPES.map((name) => one?.[name])]);
  const lists = holders.filter((one) => Array.isArray(one?.products));
  const found = lists[0]?.products;
  for (const holder of lists) holder.products = [];
  const [first, ...rest] = said;
  const whole = first === undefined ? undefined : copyOf(first, budgetOf(REST_VALUES_MAX, ids));
  const kept = {
    structuredContent: whole,
    content: Array.isArray(content) ? textsOf(rest, { whole, ids }) : undefined,
  };
  const head = copyOf({ ...message, result: others }, budgetOf(REST_VALUES_MAX, ids));
  const answer = { message: JSON.stringify({ ...head, result: { ...head.result, ...kept } }) };
  if (found === undefined) return answer;
  return { ...answer, products: slices(found), leftOut: Math.max(0, found.length - PRODUCTS_MAX) };
}

/** An older revision answers in batches, of one here. */
function responseIn(message) {
  if (!Array.isArray(message)) return message;
  return message.find((one) => isObject(one) && !('method' in one) && ('result' in one || 'error' in one));
}

/** The buys that a call asked about, by their ids or by references of the buyer's. */
function idsIn(asked = '{}') {
  const given = JSON.parse(asked).params?.arguments;
  return new Set([given?.media_buy_ids, given?.buyer_refs].filter(Array.isArray).flat().map(String));
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/**
 * What a tool said, in the order in which it is looked through (`answer-forms.ts`): structured, the JSON in its text,
 * or in each block of that. The first is structured unless there are words alone; what is not JSON stays text.
 */
function saidIn(structured, content) {
  const blocks = Array.isArray(content) ? content.filter((block) => block?.type === 'text') : [];
  const texts = blocks.map(({ text }) => text).filter((text) => typeof text === 'string');
  const whole = parsed(texts.join('\n'));
  const said = whole === undefined ? mostTelling(texts.map((text) => parsed(text) ?? text)) : [whole];
  const forms = structured === undefined && whole !== undefined ? said : [structured, ...said];
  return forms.map((one) => opened(one));
}

/** As many as go back: where there are more, those that name what is read before other JSON, and words last. */
function mostTelling(said) {
  if (said.length <= BLOCKS_MAX) return said;
  const rank = (one) => (isObject(one) ? Number(!Object.keys(one).some((name) => RANKS.has(name))) : 2);
  return said.toSorted((one, other) => rank(one) - rank(other)).slice(0, BLOCKS_MAX);
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Where sellers put JSON as a text it is read before it is cut. */
function opened(said, levels = ENVELOPE_LEVELS) {
  if (!isObject(said) || levels === 0) return said;
  for (const name of ENVELOPES) {
    const within = typeof said[name] === 'string' ? parsed(said[name]) : said[name];
    if (isObject(within)) said[name] = opened(within, levels - 1);
  }
  return said;
}

/** The texts beside what is structured; one that says the same once more is left out. */
function textsOf(said, { whole, ids }) {
  const same = JSON.stringify(whole);
  return copiesOf(said, budgetOf(REST_VALUES_MAX, ids)).flatMap((copy) => {
    const text = typeof copy === 'string' ? copy : JSON.stringify(copy);
    return text === same ? [] : [{ type: 'text', text }];
  });
}

function slices(products) {
  const made = [];
  let slice = [];
  let characters = 0;
  for (const product of products.slice(0, PRODUCTS_MAX)) {
    const json = cut(product, PRODUCT_VALUES_MAX);
    slice.push(json);
    characters += json.length;
    if (slice.length < SLICE_PRODUCTS && characters < SLICE_CHARACTERS) continue;
    made.push(`[${slice.join(',')}]`);
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) made.push(`[${slice.join(',')}]`);
  return made;
}

/** A value as JSON: what is longer, deeper or more than anybody needs is not in it. */
function cut(value, most = REST_VALUES_MAX) {
  return JSON.stringify(copyOf(value, budgetOf(most)));
}

/** Counts down the values that may still be copied, and their characters. */
function budgetOf(most, ids = new Set()) {
  return { left: most, characters: CHARACTERS_MAX, ids };
}

function copyOf(value, budget) {
  return copiesOf([value], budget)[0];
}

/**
 * Copies within one budget. First comes what is read, then what nobody reads: so nothing, however large or many, takes
 * the place of an id or a status. In either, plain values come before what holds others, and lists last of all. What
 * is not reached is null.
 */
function copiesOf(values, budget) {
  const copies = [];
  const walk = { objects: queue(), lists: queue(), budget };
  for (const [at, value] of values.entries()) put(walk, { into: copies, name: at, value, depth: 0 });
  const met = copyAll(walk, readNamesIn);
  for (const holder of met) fill(walk, holder, namesIn(holder));
  copyAll(walk, namesIn);
  return copies;
}

function queue() {
  const items = [];
  let at = 0;
  return { add: (item) => void items.push(item), next: () => (at < items.length ? items[at++] : undefined) };
}

/** Copies what waits, and what comes to wait meanwhile; gives the holders that it met. */
function copyAll(walk, names) {
  const met = [];
  while (walk.budget.left > 0) {
    const place = walk.objects.next() ?? walk.lists.next();
    if (place === undefined) break;
    const { into, name, value, depth } = place;
    const copy = Array.isArray(value) ? [] : {};
    into[name] = copy;
    const source = Array.isArray(value) ? askedFor(value, walk.budget.ids).slice(0, LIST_MAX) : value;
    const holder = { name, source, copy, depth };
    fill(walk, holder, names(holder));
    met.push(holder);
  }
  return met;
}

function fill(walk, { source, copy, depth }, names) {
  for (const name of names) {
    if (walk.budget.left <= 0) return;
    if (!Object.hasOwn(copy, name)) put(walk, { into: copy, name, value: source[name], depth: depth + 1 });
  }
}

function put({ objects, lists, budget }, place) {
  const { into, name, value, depth } = place;
  budget.left -= 1;
  into[name] = isObject(value) ? null : typeof value === 'string' ? textWithin(budget, value) : value;
  if (typeof name === 'string') budget.characters -= name.length;
  if (!isObject(value) || depth === DEPTH_MAX) return;
  (Array.isArray(value) ? lists : objects).add(place);
}

function textWithin(budget, text) {
  const kept = text.slice(0, Math.min(TEXT_MAX, Math.max(0, budget.characters)));
  budget.characters -= kept.length;
  return kept;
}

/** Of a list everything, of an object the fields that are read. */
function readNamesIn({ name, source }) {
  if (Array.isArray(source) || OPEN_NAMES.has(name)) return namesIn({ source });
  const names = Object.keys(source).filter((field) => RANKS.has(field));
  return names.sort((one, other) => RANKS.get(one) - RANKS.get(other));
}

function namesIn({ source }) {
  const names = Object.keys(source).filter((name) => name !== '__proto__' && name.length <= NAME_MAX);
  if (Array.isArray(source)) return names;
  const holds = (name) => isObject(source[name]);
  return [...names.filter((name) => !holds(name)), ...names.filter(holds)];
}

/** Of a list of buys those that were asked for, where they are in it: many sellers tell of all they have. */
function askedFor(list, ids) {
  if (ids.size === 0) return list;
  const isAsked = (id) => (typeof id === 'string' || typeof id === 'number') && ids.has(String(id));
  const found = list.filter((one) => isAsked(one?.media_buy_id) || isAsked(one?.buyer_ref));
  return found.length === 0 ? list : found;
}
