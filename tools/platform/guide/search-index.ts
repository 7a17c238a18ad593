import type { Tool } from '../../core/define.ts';
import type { Registry } from '../../core/families.ts';
import { jsonSchema } from '../../core/schemas/json-schema.ts';
import { schemaFields } from '../../core/schemas/schema-fields.ts';
import { usedInPlaceOf } from './everyday-words.ts';

/** Where a word stands says how much it tells of a capability. */
const WEIGHTS = {
  name: 16,
  title: 12,
  toolset: 3,
  purpose: 6,
  description: 2,
  field: 2,
  inner: 0.5,
  about: 0.5,
  example: 0.5,
  output: 0.5,
};

/** What a word counts for that is called something else here. */
const EVERYDAY = 0.8;
/** What another form of a word counts for: one that begins with as many letters. */
const FORM = 0.7;
const STEM_MIN = 4;
const WORDS_MAX = 24;
/** As many as there might be of them, and from which weight on one of them says a word, not in passing. */
const CAPABILITIES = 150;
const SAID = Math.sqrt(WEIGHTS.purpose);
/** Whoever gives a name means it, whatever else shares its words. */
const NAMED = 1_000;

/** One of the words that there are: how much it weighs in which capability, and how much it tells. */
interface Known {
  readonly weights: ReadonlyMap<Tool, number>;
  readonly tells: number;
}

type Index = ReadonlyMap<string, Known>;

/** Made with the first search: a start must not wait for it. */
const made = new WeakMap<Registry, Index>();

/** The capabilities that a text is about, each with how well it fits, the best first. */
export function search(registry: Registry, text: string): { readonly tool: Tool; readonly score: number }[] {
  const index = made.get(registry) ?? indexOf(registry);
  made.set(registry, index);
  const scores = new Map<Tool, number>();
  for (const wanted of new Set(wordsOf(text).slice(0, WORDS_MAX))) {
    for (const [tool, score] of fitting(wanted, index)) scores.set(tool, (scores.get(tool) ?? 0) + score);
  }
  const named = new Set(text.toLowerCase().match(/[a-z0-9_]+/g));
  for (const tool of registry.tools)
    if (named.has(tool.name)) scores.set(tool, NAMED + (scores.get(tool) ?? 0));
  return [...scores].map(([tool, score]) => ({ tool, score })).sort((a, b) => b.score - a.score);
}

/** The capabilities that one word fits, each with the best of what fits there. */
function fitting(wanted: string, index: Index): Map<Tool, number> {
  const best = new Map<Tool, number>();
  const used = usedInPlaceOf(wanted);
  for (const [word, { weights, tells }] of index) {
    const like = Math.max(likeness(wanted, word), used.has(word) ? EVERYDAY : 0);
    const worth = like * tells;
    if (worth === 0) continue;
    for (const [tool, weight] of weights) best.set(tool, Math.max(best.get(tool) ?? 0, worth * weight));
  }
  return best;
}

function indexOf({ tools }: Registry): Index {
  const words = new Map<string, Map<Tool, number>>();
  for (const tool of tools) {
    for (const [word, weight] of weighed(tool)) {
      const weights = words.get(word) ?? new Map<Tool, number>();
      weights.set(tool, weight);
      words.set(word, weights);
    }
  }
  return new Map([...words].map(([word, weights]) => [word, { weights, tells: telling(weights) }]));
}

/**
 * How much a word tells: more where few say it, and where most of them say it in passing. It is reckoned with a fixed
 * number of capabilities, so that those that do not say it, however many they become, weigh nothing.
 */
function telling(weights: ReadonlyMap<Tool, number>): number {
  const count = [...weights.values()].reduce((sum, weight) => sum + Math.min(1, weight / SAID), 0);
  return Math.log(1 + CAPABILITIES / count);
}

/** Each word of a capability with its weight: said again it weighs more, but less each time. */
function weighed(tool: Tool): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  add(tool.name, WEIGHTS.name);
  add(tool.title, WEIGHTS.title);
  add(tool.toolset, WEIGHTS.toolset);
  // The first sentence says what it is for; the names of others tell of those.
  const [purpose = '', ...more] = tool.description.replaceAll(/\b[a-z]+(_[a-z]+)+\b/g, '').split(/(?<=\.) /);
  add(purpose, WEIGHTS.purpose);
  add(more.join(' '), WEIGHTS.description);
  add(JSON.stringify(tool.example ?? {}), WEIGHTS.example);
  // However many fields say a word, it is said once: what has many fields is not about each of them more.
  const once = (texts: readonly string[], weight: number) =>
    add([...new Set(texts.flatMap(wordsOf))].join(' '), weight);
  const asked = schemaFields(jsonSchema(tool.input, 'input'));
  const shown = schemaFields(jsonSchema(tool.output, 'output'));
  once(
    asked.map(({ path }) => path).filter((path) => !path.includes('.')),
    WEIGHTS.field,
  );
  once(
    asked.map(({ path }) => path),
    WEIGHTS.inner,
  );
  once(
    asked.map(({ about }) => about),
    WEIGHTS.about,
  );
  once(
    shown.map(({ path, about }) => `${path} ${about}`),
    WEIGHTS.output,
  );
  return new Map([...counts].map(([word, count]) => [word, Math.sqrt(count)]));
}

const NOISE = new Set(
  (
    'a about all an and are as at be been by can could did do does everything for from had has have here how i in is it ' +
    'me much my now of on or our please should some something somebody tell that the this to want was we were what ' +
    'when where which why will with would'
  ).split(' '),
);

/** The words of a text in lower case, in the singular, the parts of a name each for itself. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !NOISE.has(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=[^s]{2})s$/, ''));
}

/** Words that begin alike are forms of one: paused, pausing; cancel, cancellation. */
function likeness(wanted: string, word: string): number {
  if (wanted === word) return 1;
  const stem = Math.min(wanted.length, word.length) - 1;
  return stem >= STEM_MIN && wanted.slice(0, stem) === word.slice(0, stem) ? FORM : 0;
}
