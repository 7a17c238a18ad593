import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../tools/core/define.ts';
import type { Registry } from '../../tools/core/families.ts';
import { search } from '../../tools/platform/guide/search-index.ts';
import { families, streams, tools } from '../../tools/registry.ts';

const registry = (all: readonly Tool[]): Registry => ({ families, streams, tools: all });
const none = z.strictObject({});

/** Capabilities of which each says what it is told to say, and nothing else. */
function others(count: number, says: string): Tool[] {
  const [some] = tools;
  if (some === undefined) throw new Error('There are no tools.');
  return Array.from({ length: count }, (_, index) => {
    const name = `almanac${index}`;
    return {
      ...some,
      name,
      title: name,
      toolset: name,
      description: says,
      example: {},
      input: none,
      output: none,
    };
  });
}

/** The real ones that a question finds, in their order. */
const ranked = (all: readonly Tool[], text: string) =>
  search(registry(all), text)
    .map(({ tool }) => tool.name)
    .filter((name) => !name.startsWith('almanac'));

const QUESTIONS = [
  'who changed the budget',
  'what do I sell',
  'executing a draft',
  'sellers that did not answer',
];

describe('the order in which words find capabilities', () => {
  test.each(QUESTIONS)('stays for “%s” however many there are that say nothing of it', (text) => {
    expect(ranked([...tools, ...others(300, 'Almanac.')], text)).toEqual(ranked(tools, text));
  });

  test('has a rare word before one that many are about', () => {
    const [first] = ranked([...tools, ...others(200, 'Budget.')], 'budget webhook');

    expect(first).toMatch(/^webhook_/);
  });
});
