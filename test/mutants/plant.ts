import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import type { Mutant } from './mutants.ts';

const OWN = join(packageRoot, 'adapters', 'mcp');

type Endpoint = typeof import('../../adapters/mcp/endpoint.ts');

export interface Field {
  /** The endpoint of MCP with one fault in it; everything around it is the project's. */
  plant(mutant: Mutant): Promise<Endpoint>;
  clear(): void;
}

/** A scratch folder for copies of `adapters/mcp`. */
export function newField(): Field {
  const root = mkdtempSync(join(tmpdir(), 'rialto-mutants-'));
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
  let planted = 0;
  return {
    plant: async ({ what, file, from, to }) => {
      planted += 1;
      const folder = join(root, `mcp-${planted}`);
      cpSync(OWN, folder, { recursive: true });
      const path = join(folder, file);
      const parts = readFileSync(path, 'utf8').split(from);
      if (parts.length !== 2) throw new Error(`${what}: ${file} has ${parts.length - 1} times ${from}`);
      writeFileSync(path, parts.join(to));
      for (const name of readdirSync(folder)) pointHome(join(folder, name));
      return import(/* @vite-ignore */ join(folder, 'endpoint.ts'));
    },
    clear: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** What is imported from outside the folder is the project's own. */
function pointHome(path: string): void {
  const text = readFileSync(path, 'utf8');
  const home = text
    .replaceAll("'../../", `'${packageRoot}/`)
    .replaceAll("'../", `'${join(packageRoot, 'adapters')}/`);
  writeFileSync(path, home);
}
