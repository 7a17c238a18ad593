import { describe, expect, test } from 'vitest';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

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
