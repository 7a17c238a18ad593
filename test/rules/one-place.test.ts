import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { sourceFiles, sourceOf } from '../support/house/source-files.ts';

interface Import {
  readonly path: string;
  readonly from: string;
  readonly name: string;
}

/** What a file imports by name, types left out. */
function importsOf(path: string): Import[] {
  const source = ts.createSourceFile(path, sourceOf(path), ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const bindings = importClause?.namedBindings;
    if (importClause?.isTypeOnly || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    const from = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
    return bindings.elements
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ name, propertyName }) => ({ path, from, name: (propertyName ?? name).text }));
  });
}

const imports = [...sourceFiles('adapters'), ...sourceFiles('tools')]
  .filter((path) => path.endsWith('.ts'))
  .flatMap(importsOf);
const ofStore = imports.filter(({ from }) => from.includes('/store/'));

describe('what has one place', () => {
  test('people are made in tools/domain/organizations/people.ts alone, whichever way they come', () => {
    const makers = ofStore.filter(({ name }) => /^insert\w*User$/.test(name)).map(({ path }) => path);

    expect(makers).toEqual(['tools/domain/organizations/people.ts']);
  });

  test('the command line reads and prints: what it changes, rooms of tools/domain change', () => {
    const writes = ofStore
      .filter(({ path }) => path.startsWith('adapters/cli/'))
      .filter(({ name }) => /^(insert|set|put|update|remove|delete|drop|end|revoke|save)[A-Z]/.test(name))
      .map(({ path, name }) => `${path}: ${name}`);

    expect(writes).toEqual([]);
  });
});
