import { type Files, type Names, type Operation, parts } from './subject.ts';

/** The steps of a family in the journey, and a test a capability for what is special to it. */
export function testFiles(names: Names): Files {
  const { plural, noun, operations } = names;
  return {
    [`test/journeys/${plural}.ts`]: journey(names),
    ...Object.fromEntries(
      operations.map((operation) => [
        `test/tools/${plural}/${noun}-${operation}.test.ts`,
        TESTS[operation](names),
      ]),
    ),
  };
}

function journey(names: Names): string {
  const { type, idField, noun, operations } = names;
  return `import type { Step } from './step.ts';

const logged = { type: '${type}', id: '${idField}', called: 'First ${noun}' } as const;

export const steps: readonly Step[] = [
${operations.map((operation) => STEPS[operation](names)).join('\n')}
];
`;
}

const STEPS: Readonly<Record<Operation, (names: Names) => string>> = {
  create: (names) => `  {
    tool: '${names.noun}_create',
    by: '${sideOf(names)}',
    needs: 'buyer:write',
    args: () => ({ name: 'First ${names.noun}', note: 'Worth a look.' }),
    gives: { ${names.idField}: '${names.idField}' },
    logged,
  },`,
  get: (names) => `  {
    tool: '${names.noun}_get',
    by: '${sideOf(names)}',
    needs: 'buyer:read',
    ${named(names)}
  },`,
  list: (names) => `  {
    tool: '${names.noun}_list',
    by: '${sideOf(names)}',
    needs: 'buyer:read',
    args: () => ({ take: 5, skip: 0 }),
    rowsBy: '${names.noun}_create',
  },`,
  update: (names) => `  {
    tool: '${names.noun}_update',
    by: '${sideOf(names)}',
    needs: 'buyer:write',
    args: (made) => ({ ${names.idField}: made('${names.idField}'), note: 'Worth another.' }),
    names: { ${names.idField}: 'hidden' },
    logged,
  },`,
  execute: (names) => `  {
    tool: '${names.noun}_execute',
    by: '${sideOf(names)}',
    needs: 'buyer:write',
    ${named(names)}
    logged,
  },`,
  delete: (names) => `  {
    tool: '${names.noun}_delete',
    by: '${sideOf(names)}',
    needs: 'buyer:admin',
    ${named(names)}
    last: true,
    logged,
  },`,
};

function sideOf({ surface }: Names): string {
  return surface === 'buyer' ? 'buyer' : 'seller';
}

function named({ idField }: Names): string {
  return `args: (made) => ({ ${idField}: made('${idField}') }),
    names: { ${idField}: 'hidden' },`;
}

const TESTS: Readonly<Record<Operation, (names: Names) => string>> = {
  create: (names) =>
    testOf(names, 'create', {
      tests: `    test('returns what was made, with a note only where one was given', async () => {
      const { status, body } = await person.post(PATH, { name: 'Plain' });

      expect(status).toBe(201);
      expect(body.data).toEqual({
        ${names.idField}: expect.any(String),
        name: 'Plain',
        note: null,
        createdAt: expect.any(String),
        updatedAt: body.data.createdAt,
      });
    });`,
    }),
  get: (names) =>
    testOf(names, 'get', {
      tests: `    test('gives what was made', async () => {
      const made = done(await person.post(PATH, { name: 'Plain', note: 'Worth a look.' }));

      const { status, body } = await person.get(\`\${PATH}/\${made.${names.idField}}\`);

      expect(status).toBe(200);
      expect(body.data).toEqual(made);
    });`,
    }),
  list: (names) =>
    testOf(names, 'list', {
      tests: `    test('gives every one of the account, oldest first', async () => {
      for (const name of ['One', 'Two']) done(await person.post(PATH, { name }));

      const { status, body } = await person.get(PATH);

      expect(status).toBe(200);
      expect(body.data.items.map(({ name }: { name: string }) => name)).toEqual(['One', 'Two']);
    });`,
    }),
  update: (names) =>
    testOf(names, 'update', {
      tests: `    test('changes what is given and leaves the rest', async () => {
      const made = done(await person.post(PATH, { name: 'Plain', note: 'Worth a look.' }));

      const { status, body } = await person.put(\`\${PATH}/\${made.${names.idField}}\`, { name: 'Fancy' });

      expect(status).toBe(200);
      expect(body.data).toEqual({ ...made, name: 'Fancy', updatedAt: expect.any(String) });
    });`,
      between: `  describe('409', () => {
    test('CONFLICT when somebody else writes in the meantime, whose change stays', async () => {
      const made = done(await person.post(PATH, { name: 'Plain' }));
      const path = \`\${PATH}/\${made.${names.idField}}\`;
      between.next(() => person.put(path, { name: 'First' }));

      const reply = await person.put(path, { name: 'Second' });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The ${names.noun} was changed by somebody else in the meantime.',
      });
      expect(done(await person.put(path, {})).name).toBe('First');
    });
  });`,
    }),
  execute: (names) =>
    testOf(names, 'execute', {
      tests: `    test('gives what was carried out, as it was', async () => {
      const made = done(await person.post(PATH, { name: 'Plain' }));

      const { status, body } = await person.post(\`\${PATH}/\${made.${names.idField}}/execute\`);

      expect(status).toBe(200);
      expect(body.data).toEqual(made);
    });`,
    }),
  delete: (names) =>
    testOf(names, 'delete', {
      tests: `    test('takes it away, and gives it as it was', async () => {
      const made = done(await person.post(PATH, { name: 'Plain' }));
      const path = \`\${PATH}/\${made.${names.idField}}\`;

      const { status, body } = await person.delete(path);

      expect(status).toBe(200);
      expect(body.data).toEqual(made);
      expect((await person.delete(path)).status).toBe(404);
    });`,
    }),
};

interface Cases {
  /** In the group of its success. */
  readonly tests: string;
  /** A group of its own, with the gap in which somebody else writes. */
  readonly between?: string;
}

function testOf(names: Names, operation: Operation, { tests, between }: Cases): string {
  const { noun, surface, path } = names;
  const gap = between !== undefined;
  return parts(
    `import { afterAll, beforeAll, describe, expect, test } from 'vitest';`,
    `import { newPerson, type Person } from '../../support/callers/people.ts';`,
    gap && `import { expectRefusal } from '../../support/callers/refusals.ts';`,
    operation !== 'create' && `import { done } from '../../support/sellers/market.ts';`,
    gap && `import { writesBetween } from '../../support/server/between.ts';`,
    `import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/${surface}${path}';

describe('${noun}_${operation}', () => {`,
    gap && `  const between = writesBetween('${noun}_${operation}');`,
    `  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer(${gap ? '{ families: between.families }' : ''});
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  describe('${operation === 'create' ? 201 : 200}', () => {
${tests}
  });`,
    gap && `\n${between}`,
    `});`,
  );
}
