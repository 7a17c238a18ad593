import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { familyFolders } from '../journeys/families.ts';
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

/** Where an import stands: a family of its own, or a floor. */
function homeOf(path: string): string {
  const [top = '', second = '', third = ''] = path.split('/');
  if (top !== 'tools') return top;
  return familyFolders.includes(`${second}/${third}`) ? `${second}/${third}` : second;
}

/** The files that a file imports, as paths from the root. */
function importsOf(path: string): string[] {
  return [...codeOf(path).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to = '']) =>
    join(dirname(path), to),
  );
}

/**
 * What one family alone uses and stands in the domain all the same. A file that two use, or none, needs no line; one
 * of a single family belongs into its folder.
 */
const FOR_ONE_FAMILY: Readonly<Record<string, string>> = {
  'tools/domain/brands/resolving.ts': 'asks what is known of brands, which no family may',
  'tools/domain/buying/answers/delivery-asking.ts': 'what sellers delivered is asked and read in one room',
  'tools/domain/buying/changes/lacking-periods.ts':
    'a part of changes: periods that orders have no packages for',
  'tools/domain/buying/following/budget-floor.ts':
    'goes by changes that sellers confirmed, which this room reads',
  'tools/domain/buying/orders/draft-stops.ts': 'what keeps orders back, before they are made',
  'tools/domain/buying/orders/order-claiming.ts': 'the transaction of the walk of a buy',
  'tools/domain/buying/standing/blocking.ts': 'a part of where a campaign stands',
  'tools/domain/buying/standing/campaign-asking.ts': 'a part of where a campaign stands',
  'tools/domain/buying/standing/operational-status.ts': 'a part of where a campaign stands',
  'tools/domain/buying/standing/still-living.ts': 'a part of where a campaign stands',
  'tools/domain/discovery/choosing/auto-candidates.ts': 'choosing, for whoever names no product',
  'tools/domain/discovery/choosing/auto-selection.ts': 'choosing, for whoever names no product',
  'tools/domain/discovery/sessions/freshening.ts': 'which sessions are asked again, beside how',
  'tools/domain/discovery/sessions/offers.ts': 'the life of an offer, beside its machine',
  'tools/domain/discovery/showing/selection.ts': 'what is chosen, as its readers see it',
  'tools/domain/events/following.ts': 'events followed, beside their tail',
  'tools/domain/organizations/accounts.ts': 'makes tenants of accounts, which no family may',
  'tools/domain/organizations/sponsored.ts': 'makes a tenant of an account, which no family may',
  'tools/domain/organizations/turned-away.ts': 'makes tenants of organizations, which no family may',
};

describe('a file of the domain', () => {
  test('is used beyond a single family, or says here why it stands there', () => {
    const users = new Map<string, Set<string>>();
    for (const path of ['adapters', 'bench', 'demo', 'store', 'tools'].flatMap(sourceFiles)) {
      for (const to of importsOf(path)) users.set(to, (users.get(to) ?? new Set()).add(homeOf(path)));
    }
    const files = sourceFiles('tools/domain');
    const ofOneFamily = files.filter((path) => {
      const [home = '', ...others] = users.get(path) ?? [];
      return others.length === 0 && familyFolders.includes(home);
    });

    expect(files.length).toBeGreaterThan(300);
    expect(ofOneFamily).toEqual(Object.keys(FOR_ONE_FAMILY));
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
