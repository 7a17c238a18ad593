import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Kysely, Migration } from 'kysely';
import type { Kit } from '../engine/kit.ts';

/** One numbered step from one shape of the database to the next. */
export interface Step {
  up(db: Kysely<unknown>, kit: Kit): Promise<void>;
  down(db: Kysely<unknown>, kit: Kit): Promise<void>;
}

/** Steps by name, in their order, each with the file to load it from. */
export type Steps = ReadonlyMap<string, string>;

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** A step's file, as it was written or as it was built. */
const STEP = /^(\d{4}-[a-z0-9-]+)\.(ts|js)$/;

/**
 * The steps of a folder by name, none of them loaded: a file `NNNN-what-it-does` that exports its `step` is all
 * that a migration needs. A released step is never edited; the next change is the next number.
 */
export function findSteps(folder = FOLDER): Steps {
  const found = readdirSync(folder).flatMap((file): [string, string][] => {
    const name = STEP.exec(file)?.[1];
    return name === undefined ? [] : [[name, join(folder, file)]];
  });
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A migration that loads its step when it is run, and not before. */
export function migrationOf(file: string, kit: Kit): Migration {
  return {
    up: async (db) => (await load(file)).up(db, kit),
    down: async (db) => (await load(file)).down(db, kit),
  };
}

async function load(file: string): Promise<Step> {
  const module: unknown = await import(pathToFileURL(file).href);
  if (!exportsStep(module)) throw new Error(`The migration ${file} exports no step.`);
  return module.step;
}

function exportsStep(module: unknown): module is { step: Step } {
  if (typeof module !== 'object' || module === null || !('step' in module)) return false;
  const { step } = module;
  return typeof step === 'object' && step !== null && 'up' in step && 'down' in step;
}
