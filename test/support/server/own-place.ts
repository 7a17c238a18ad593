import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { freshDatabase, type TestDatabase } from '../database/database.ts';
import { type Ended, runHere } from './command-line.ts';
import { killServices, type Service, settingsFor, startService } from './service.ts';

type Settings = Readonly<Record<string, string>>;

/**
 * The commands of the operator, run in this process: for tests of what they do, and for what they are to bring about.
 * That they run as a process is tested in `test/process/installation.test.ts`.
 */
export function commandsFor(settings: () => Settings) {
  const rialto = (...args: readonly string[]): Promise<Ended> => runHere(settings(), args);
  return {
    rialto,
    /** What one prints that has to succeed. */
    printed: async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await rialto(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout.trim();
    },
    /** What one says that is to be refused, in words and without a trace. */
    refused: async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await rialto(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).not.toMatch(/\n\s+at /);
      return stderr.trim();
    },
  };
}

/** A database of its own for all tests of a block, and the operator at it. */
export function ownPlace(more: Settings = {}) {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(async () => {
    await killServices();
    await database.drop();
  });
  const settings = () => settingsFor(database, more);
  return {
    get database() {
      return database;
    },
    get settings() {
      return settings();
    },
    /** For a process of its own. */
    get launch() {
      return { folder: database.folder, settings: settings() };
    },
    ...commandsFor(settings),
  };
}

/** The same with a service that runs there as a process; `before` is done before it starts. */
export function ownService(more: Settings = {}, before?: (settings: Settings) => Promise<unknown>) {
  const place = ownPlace(more);
  let service: Service;
  beforeAll(async () => {
    await before?.(place.settings);
    service = await startService(place.launch);
  });
  const { rialto, printed, refused } = place;
  return {
    place,
    rialto,
    printed,
    refused,
    get settings() {
      return place.settings;
    },
    get service() {
      return service;
    },
    get url() {
      return service.url;
    },
    /** Ends it on the spot, and starts another one there. */
    restart: async () => {
      await service.kill();
      service = await startService(place.launch);
    },
  };
}

/** Makes places for a test, each with a database of its own; they are gone after it, with what runs there. */
export function freshPlaces(make: () => Promise<TestDatabase> = freshDatabase) {
  const databases: TestDatabase[] = [];
  afterEach(async () => {
    await killServices();
    for (const database of databases.splice(0)) await database.drop();
  });
  return async (more: Settings = {}, making = make) => {
    const database = await making();
    databases.push(database);
    const settings: Settings = settingsFor(database, more);
    const { folder } = database;
    return { ...database, settings, launch: { folder, settings }, ...commandsFor(() => settings) };
  };
}
