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
/** Products go back in slices of so many at the most, and of about so many characters: each is read in one go. */
const SLICE_PRODUCTS = 50;
const SLICE_CHARACTERS = 65_536;

parentPort?.on('message', ({ bytes }) => {
  try {
    parentPort?.postMessage(read(new TextDecoder().decode(bytes)));
  } catch {
    parentPort?.postMessage({});
  }
});

/** The message without its products, and the products in slices, all as JSON. */
function read(text) {
  const message = JSON.parse(text);
  const result = message?.result;
  if (typeof result !== 'object' || result === null) return { message: cut(message) };
  const content = contentOf(result);
  const found = content?.products;
  if (!Array.isArray(found)) return { message: cut({ ...message, result: withContent(result, content) }) };
  const rest = { ...content, products: [] };
  return {
    message: cut({ ...message, result: withContent(result, rest) }),
    products: slices(found),
    leftOut: Math.max(0, found.length - PRODUCTS_MAX),
  };
}

/** What a tool answered: structured, or JSON in its text. Undefined for other words. */
function contentOf(result) {
  if (result.structuredContent !== undefined) return result.structuredContent;
  const texts = Array.isArray(result.content) ? result.content.filter((block) => block?.type === 'text') : [];
  try {
    return JSON.parse(texts.map((block) => block.text).join('\n'));
  } catch {
    return undefined;
  }
}

/** Texts that say the same once more are left out. */
function withContent(result, content) {
  return content === undefined ? result : { ...result, content: [], structuredContent: content };
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
  return JSON.stringify(copyOf(value, { left: most }, 0));
}

/** `budget` counts down the values that may still be copied. */
function copyOf(value, budget, depth) {
  budget.left -= 1;
  if (typeof value === 'string') return value.slice(0, TEXT_MAX);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH_MAX || budget.left <= 0) return null;
  if (!Array.isArray(value)) return fieldsOf(value, budget, depth);
  return value.slice(0, Math.min(LIST_MAX, budget.left)).map((item) => copyOf(item, budget, depth + 1));
}

function fieldsOf(value, budget, depth) {
  const fields = {};
  for (const name in value) {
    if (budget.left <= 0) break;
    if (name !== '__proto__') fields[name] = copyOf(value[name], budget, depth + 1);
  }
  return fields;
}
