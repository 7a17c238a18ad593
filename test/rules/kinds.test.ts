import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tools } from '../../tools/registry.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/**
 * The names under which the log files the kinds of objects that code declares. One made of another is none of its own.
 */
const typesIn = (code: string) =>
  [...code.matchAll(/\btype: '([A-Z_]+)',\s*word:/g)].map(([, type = '']) => type);

const declared = [...sourceFiles('tools'), ...sourceFiles('adapters')].flatMap((path) =>
  typesIn(codeOf(path)),
);

/** What is written into the operator's list alone, or never: no account reads it. */
const READ_BY_NO_ACCOUNT = ['ADMISSION', 'BRAND', 'OAUTH_CLIENT', 'PAGE', 'SECRETS_KEY', 'SIGNING_KEY'];

const logSchema = z.object({
  properties: z.object({ resourceTypes: z.object({ items: z.object({ enum: z.array(z.string()) }) }) }),
});

/** The kinds that a log can tell of. */
function toldBy(name: string): readonly string[] {
  const log = tools.find((one) => one.name === name);
  const schema = log && z.toJSONSchema(log.input, { io: 'input' });
  return logSchema.parse(schema).properties.resourceTypes.items.enum;
}

describe('a kind of object', () => {
  test('has a name of its own, and is declared once', () => {
    expect(declared.length).toBeGreaterThan(30);
    expect(declared.filter((type, index) => declared.indexOf(type) !== index)).toEqual([]);
  });

  test('stands beside its loader, or in the file of its room that is named after them', () => {
    const elsewhere = sourceFiles('tools').filter(
      (path) => /^export const \w+: Kind = /m.test(codeOf(path)) && !/\/(reach|kinds)\.ts$/.test(path),
    );

    expect(elsewhere).toEqual([]);
  });

  test('is told by the log of an account, or never written into one', () => {
    const told = new Set([...toldBy('audit_log_list'), ...toldBy('storefront_audit_log_list')]);

    expect(declared.filter((type) => !told.has(type)).sort()).toEqual(READ_BY_NO_ACCOUNT);
  });

  test('that is declared a second time would be found', () => {
    const twice =
      "const one: Kind = { type: 'A_KEY', word: 'key' }; const other = {\n  type: 'A_KEY',\n  word: 'x' };";

    expect(typesIn(twice)).toEqual(['A_KEY', 'A_KEY']);
  });
});
