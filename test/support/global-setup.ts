import { execFileSync } from 'node:child_process';

/** Tests of the process run the build: it has to be there and fresh. */
export function setup(): void {
  execFileSync(process.execPath, ['adapters/cli/prepare.mjs'], { stdio: 'inherit' });
}
