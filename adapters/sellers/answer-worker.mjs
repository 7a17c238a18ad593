// A thread of its own that reads the large answers of sellers, so that none of them holds up everybody else. It
// is plain JavaScript without imports of ours, because Node starts it from its file: sources, build and bundle alike.
import { parentPort, workerData } from 'node:worker_threads';

/** Bounds of what goes back, whatever came: `products` are entries of the list of products. */
const { products: PRODUCTS_MAX } = workerData;
const LIST_MAX = 1_000;
const DEPTH_MAX = 32;
const TEXT_MAX = 16_384;
/** Values in one product, and in everything that is not a product. */
const PRODUCT_VALUES_MAX = 2_000;
const REST_VALUES_MAX = 20_000;
/** Blocks of text that are looked through. As in `answer-forms.ts`, with where an answer may stand in another. */
const BLOCKS_MAX = 100;
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
  const said = whole === undefined ? texts.slice(0, BLOCKS_MAX).map((text) => parsed(text) ?? text) : [whole];
  return (structured === undefined && whole !== undefined ? said : [structured, ...said]).map(opened);
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Where sellers put JSON as a text it is read before it is cut. */
function opened(said) {
  if (!isObject(said)) return said;
  for (const name of ENVELOPES) {
    const within = typeof said[name] === 'string' ? parsed(said[name]) : undefined;
    if (isObject(within)) said[name] = within;
  }
  return said;
}

/** The texts beside what is structured; one that says the same once more is left out. */
function textsOf(said, { whole, ids }) {
  const same = JSON.stringify(whole);
  const budget = budgetOf(REST_VALUES_MAX, ids);
  return said.flatMap((one) => {
    const own = said.length === 1 ? budgetOf(REST_VALUES_MAX, ids) : budget;
    const copy = copyOf(one, own);
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

/** Counts down the values that may still be copied. */
function budgetOf(most, ids = new Set()) {
  return { left: most, ids };
}

/**
 * A copy, of which most is taken where little is: plain values before what holds others, and lists last of all. So
 * no list, however long, takes the place of a field beside or above it. What is not reached is null.
 */
function copyOf(value, budget) {
  const copy = {};
  const waiting = { objects: [], lists: [], budget };
  put(waiting, { into: copy, name: 'it', value, depth: 0 });
  let lists = 0;
  for (let objects = 0; budget.left > 0; ) {
    const next = waiting.objects[objects];
    if (next !== undefined) {
      objects += 1;
      fill(waiting, next, next.value);
      continue;
    }
    const list = waiting.lists[lists];
    if (list === undefined) break;
    lists += 1;
    fill(waiting, list, askedFor(list.value, budget.ids).slice(0, LIST_MAX));
  }
  return copy.it;
}

function put({ objects, lists, budget }, place) {
  const { into, name, value, depth } = place;
  budget.left -= 1;
  into[name] = isObject(value) ? null : typeof value === 'string' ? value.slice(0, TEXT_MAX) : value;
  if (!isObject(value) || depth === DEPTH_MAX) return;
  (Array.isArray(value) ? lists : objects).push(place);
}

function fill(waiting, { into, name, depth }, value) {
  const copy = Array.isArray(value) ? [] : {};
  into[name] = copy;
  for (const field of namesIn(value)) {
    if (waiting.budget.left <= 0) return;
    put(waiting, { into: copy, name: field, value: value[field], depth: depth + 1 });
  }
}

function namesIn(value) {
  const names = Object.keys(value).filter((name) => name !== '__proto__');
  if (Array.isArray(value)) return names;
  const holds = (name) => isObject(value[name]);
  return [...names.filter((name) => !holds(name)), ...names.filter(holds)];
}

/** Of a list of buys those that were asked for, where they are in it: many sellers tell of all they have. */
function askedFor(list, ids) {
  if (ids.size === 0) return list;
  const isAsked = (id) => (typeof id === 'string' || typeof id === 'number') && ids.has(String(id));
  const found = list.filter((one) => isAsked(one?.media_buy_id) || isAsked(one?.buyer_ref));
  return found.length === 0 ? list : found;
}
