import type { Tool } from '../../core/define.ts';
import type { Registry } from '../../core/families.ts';
import { jsonSchema } from '../../core/json-schema.ts';
import { schemaFields } from './fields.ts';

/** Where a word stands says how much it tells of a capability. */
const WEIGHTS = {
  name: 8,
  title: 6,
  toolset: 3,
  description: 3,
  field: 2,
  about: 1,
  example: 1,
  output: 0.5,
};

/** What a word that only begins like another counts for. */
const PREFIX = 0.6;
const PREFIX_MIN = 4;
const WORDS_MAX = 24;
/** Whoever gives a name means it, whatever else shares its words. */
const NAMED = 1_000;

interface Index {
  /** For each word, how much it weighs in which capability. */
  readonly words: ReadonlyMap<string, ReadonlyMap<Tool, number>>;
  readonly size: number;
}

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

/** The capabilities that one word fits, each with the best of what fits there; a rare word tells more. */
function fitting(wanted: string, { words, size }: Index): Map<Tool, number> {
  const best = new Map<Tool, number>();
  for (const [word, weights] of words) {
    const worth = likeness(wanted, word) * Math.log(1 + size / weights.size);
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
  return { words, size: tools.length };
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
  add(tool.description, WEIGHTS.description);
  add(JSON.stringify(tool.example ?? {}), WEIGHTS.example);
  // However many fields say a word, it is said once: what has many fields is not about each of them more.
  const once = (texts: readonly string[], weight: number) =>
    add([...new Set(texts.flatMap(wordsOf))].join(' '), weight);
  const asked = schemaFields(jsonSchema(tool.input, 'input'));
  const shown = schemaFields(jsonSchema(tool.output, 'output'));
  once(
    asked.map(({ path }) => path),
    WEIGHTS.field,
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
  'a an and are as at be by do for from how i in is it me my of on or our that the to we what with'.split(
    ' ',
  ),
);

/** The words of a text in lower case, in the singular, the parts of a name each for itself. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !NOISE.has(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=[^s]{2})s$/, ''));
}

function likeness(wanted: string, word: string): number {
  if (wanted === word) return 1;
  const [short, long] = wanted.length < word.length ? [wanted, word] : [word, wanted];
  return short.length >= PREFIX_MIN && long.startsWith(short) ? PREFIX : 0;
}
