import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { families, streams, tools } from '../../tools/registry.ts';
import { packageRoot } from '../settings/package-root.ts';
import { version } from '../settings/version.ts';
import { contractOperations, contractTable } from './contract.ts';
import { manifest } from './manifest.ts';
import { reference, settingsTable, toolTable } from './markdown.ts';
import { openApi } from './openapi.ts';

const START = '<!-- tools:start -->';
const END = '<!-- tools:end -->';

/** Every generated file with its content, as it should be now. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
  return new Map([
    [
      'mcp-manifest.json',
      json(manifest(tools, streams, { brand: 'rialto', version, baseUrl: '{base_url}' })),
    ],
    [
      'docs/openapi.json',
      json(openApi(tools, streams, { title: 'Rialto', version, serverUrl: '/', cookie: 'rialto_session' })),
    ],
    ['docs/reference.md', reference(families)],
    ['docs/settings.md', settingsTable()],
    ['docs/contract.md', contractTable(contractOperations(), tools, streams)],
    ['README.md', withTable(readme, toolTable(tools, streams))],
  ]);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function withTable(readme: string, table: string): string {
  const start = readme.indexOf(START);
  const end = readme.indexOf(END);
  if (start === -1 || end === -1) throw new Error(`README.md has no ${START} … ${END}.`);
  return `${readme.slice(0, start + START.length)}\n${table}\n${readme.slice(end)}`;
}
