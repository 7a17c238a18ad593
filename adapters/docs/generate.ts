import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../settings/package-root.ts';
import { generatedFiles } from './generated.ts';

/** Writes the generated files, or with `--check` says which are stale and fails. */
function main(): void {
  const check = process.argv.includes('--check');
  const stale = [...generatedFiles()].filter(([name, content]) => content !== read(name));
  if (!check) for (const [name, content] of stale) writeFileSync(join(packageRoot, name), content);
  for (const [name] of stale) process.stdout.write(`${check ? 'stale' : 'written'}: ${name}\n`);
  if (check && stale.length > 0) {
    process.stderr.write('Run npm run generate and commit what it writes.\n');
    process.exitCode = 1;
  }
}

function read(name: string): string | undefined {
  try {
    return readFileSync(join(packageRoot, name), 'utf8');
  } catch {
    return undefined;
  }
}

main();
