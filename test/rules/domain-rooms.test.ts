import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { codeOf, sourceFiles, sourceOf } from '../support/house/source-files.ts';

function foldersOf(folder: string): string[] {
  const entries = readdirSync(join(packageRoot, folder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** What a table of docs/architecture.md has a line for, by the heading of its first column. */
function listedUnder(heading: string): string[] {
  const [, table = ''] = sourceOf('docs/architecture.md').split(`| ${heading} |`);
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name = '']) => name);
}

describe('docs/architecture.md', () => {
  test('says of every subject of the domain what it is about', () => {
    expect(listedUnder('Subject in `tools/domain`')).toEqual(foldersOf('tools/domain'));
  });

  test.each(['buying', 'discovery'])('says of every room of %s what stands there', (subject) => {
    expect(listedUnder(`Room of \`tools/domain/${subject}\``).sort()).toEqual(
      foldersOf(`tools/domain/${subject}`),
    );
  });
});

/** The functions that change rows, among those that a file takes from the aggregates of organizations. */
function writesIn(code: string): string[] {
  const imports = [...code.matchAll(/import \{([^}]*)\} from '(?:\.\.\/)+store\/[a-z-]+\.ts'/g)];
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return names.filter((name) => /^(?:insert|update|set|delete|remove|add|end)[A-Z]/.test(name));
}

describe('adapters', () => {
  test('write nothing of an organization themselves but what a session of MCP is, and a fresh sandbox', () => {
    const writing = sourceFiles('adapters').filter((path) => writesIn(codeOf(path)).length > 0);

    expect(writing.filter((path) => !/^adapters\/(?:mcp|sandbox)\//.test(path))).toEqual([]);
    expect(writing).toContain('adapters/mcp/sessions.ts');
  });

  test('would be found to', () => {
    const code =
      "import { findShip, setShip, type ShipRow } from '../../store/ships.ts';\n" +
      "import { insertLink } from '../../store/unscoped/links.ts';";

    expect(writesIn(code)).toEqual(['setShip']);
  });
});
