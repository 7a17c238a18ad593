import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../../../adapters/settings/package-root.ts';

/** The source files below a folder of the project, as paths from its root. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map((entry) => relative(packageRoot, join(entry.parentPath, entry.name)))
    .sort();
}

/** The text of a file of the project. */
export function sourceOf(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}

/** The code of a file: its text without comments. */
export function codeOf(path: string): string {
  return sourceOf(path)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}
