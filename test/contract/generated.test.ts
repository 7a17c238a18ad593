import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../../adapters/docs/generated.ts';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { isRestTool } from '../../tools/core/define.ts';
import { tools } from '../../tools/registry.ts';

describe('the generated files', () => {
  test('are the manifest, the documents and the table of the README', () => {
    expect([...generatedFiles().keys()]).toEqual([
      'mcp-manifest.json',
      'docs/openapi.json',
      'docs/reference.md',
      'docs/settings.md',
      'README.md',
    ]);
  });

  test.each([...generatedFiles()])('%s is as npm run generate writes it', (name, content) => {
    expect(readFileSync(join(packageRoot, name), 'utf8')).toBe(content);
  });

  test.each([...generatedFiles().keys()].filter((name) => name !== 'docs/settings.md'))(
    '%s names every tool',
    (name) => {
      const text = generatedFiles().get(name) ?? '';

      const documented = name === 'docs/openapi.json' ? tools.filter(isRestTool) : tools;
      expect(documented.filter((tool) => !text.includes(tool.name))).toEqual([]);
    },
  );
});
