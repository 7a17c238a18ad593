import { expect, test } from 'vitest';
import { ENVELOPES } from '../../adapters/sellers/adcp-reading.ts';
import { READ_NAMES } from '../../adapters/sellers/read-names.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/** Fields of what we keep or send, not of what a seller answers. */
const OURS = new Set(['buyer_refs', 'cause', 'party']);

/** `answer['field']` and `const { field } = answer`, as the files that read answers write it. */
const READ = [/\w\??\.?\['([$\w]+)'\]/g, /^\s*const \{ ([\w, :]+) \} = (?:entry|page|data|said|answer)\b/gm];

function readIn(path: string): string[] {
  const code = codeOf(path);
  return READ.flatMap((pattern) => [...code.matchAll(pattern)])
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace(/:.*/, '').trim());
}

test('every field that is read of an answer is one that is taken first of a large one', () => {
  const files = sourceFiles('adapters/sellers').filter((path) =>
    /\/(adcp-|account-|order-|seller-ab|line)/.test(path),
  );
  const read = [...new Set([...files.flatMap(readIn), ...ENVELOPES])].filter((name) => !OURS.has(name));

  expect(read.length).toBeGreaterThan(50);
  expect(read.filter((name) => !READ_NAMES.includes(name))).toEqual([]);
});

test('what counts most comes first: a buy by its id', () => {
  const lists = ['packages', 'affected_packages', 'media_buys', 'products', 'by_package'];
  const first = Math.min(...lists.map((name) => READ_NAMES.indexOf(name)));

  for (const name of ['media_buy_id', 'status', 'media_buy_status', 'task_id'])
    expect(READ_NAMES.indexOf(name)).toBeLessThan(first);
});
