import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../../adapters/docs/generated.ts';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { isOverMcp, isRestTool, type Tool } from '../../tools/core/define.ts';
import { tools } from '../../tools/registry.ts';

describe('the generated files', () => {
  test('are the manifest, the documents and the table of the README', () => {
    expect([...generatedFiles().keys()]).toEqual([
      'mcp-manifest.json',
      'docs/openapi.json',
      'docs/reference.md',
      'docs/settings.md',
      'docs/contract.md',
      'README.md',
    ]);
  });

  /** What a file tells of, where it does not tell of all. */
  const ways: Readonly<Record<string, (tool: Tool) => boolean>> = {
    'docs/openapi.json': isRestTool,
    'mcp-manifest.json': isOverMcp,
  };
  test.each([...generatedFiles()])('%s is as npm run generate writes it', (name, content) => {
    expect(readFileSync(join(packageRoot, name), 'utf8')).toBe(content);
  });

  /** The settings name no tool, the contract those alone that serve what was agreed. */
  const OF_SOME = new Set(['docs/settings.md', 'docs/contract.md']);
  test.each([...generatedFiles().keys()].filter((name) => !OF_SOME.has(name)))(
    '%s names every tool',
    (name) => {
      const text = generatedFiles().get(name) ?? '';

      const documented = tools.filter(ways[name] ?? (() => true));
      expect(documented.filter((tool) => !text.includes(tool.name))).toEqual([]);
    },
  );
});
