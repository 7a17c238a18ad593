import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOverMcp, type Tool } from '../../tools/core/define.ts';
import { errorCatalogue } from '../../tools/core/errors/catalogue.ts';
import { outputForHosts } from '../../tools/core/host-schemas.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/json-schema.ts';
import { tools } from '../../tools/registry.ts';
import { byTool, capabilityOf, firstSteps, knownArguments } from '../journeys/journey.ts';
import { type Fields, isForPeople, type Made, type Step } from '../journeys/step.ts';
import { newWalkers, type Walkers, walk } from '../journeys/walk.ts';
import { newBrowser } from '../support/browsers.ts';
import { casesOf, seed, timeoutOf } from '../support/effort.ts';
import { argumentsFor, type Known } from '../support/mcp-arguments.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Lane, type Outcome, overMcp, overRest } from '../support/tool-lanes.ts';
import { wholeOutput } from '../support/whole-output.ts';

/** In the name of everything that the stranger has and does not sell. */
const MARKER = 'zqx-of-somebody-else';
/** What an answer of ours never shows: where in the code something went wrong. */
const TRACE = /\bat [\w.<>]+ \(|node_modules|\.ts:\d|\.js:\d|SQLITE_|syntax error at/;
const HOLDER = /^\{\{(\w+)\}\}$/;
const EVERYTHING = ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'] as const;

/** Pieces that have hurt somebody before. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      '',
      ' ',
      '\u0000',
      '\u202e',
      '../..',
      '%00',
      '__proto__',
      '{}',
      "' or 1=1 --",
      '<script>',
      '9'.repeat(400),
    ],
    ...[
      '9007199254740993',
      '-1',
      '1e999',
      'null',
      'x'.repeat(5_000),
      '2026-02-30T00:00:00Z',
      'https://127.0.0.1/',
    ],
    ...[
      null,
      true,
      -1,
      0,
      1.5,
      2 ** 53,
      -(2 ** 63),
      1e300,
      [],
      {},
      [[]],
      [null],
      { constructor: { name: 'x' } },
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Whose ids a case names. */
type Side = 'own' | 'foreign';

interface Case {
  readonly args: Fields;
  readonly side: Side;
}

const side = fc.constantFrom<Side>('own', 'own', 'foreign');
const known = knownArguments();
const ofTools = firstSteps.filter((step) => 'handler' in capabilityOf(step));

/** Fields that must not make a call slow. */
const QUICK: Known = { waitSeconds: fc.constant(0) };

/** What its schema allows or nearly allows, what it takes with one field damaged, and what it never heard of. */
function casesFor(step: Step): fc.Arbitrary<Case> {
  const own = known.get(step.tool) ?? {};
  const names = Object.keys(own);
  const held = names.filter((name) => HOLDER.test(String(own[name])));
  const ids = Object.fromEntries(held.map((name) => [name, fc.constant(own[name])]));
  const schema = jsonSchema(capabilityOf(step).input, 'input');
  const generated = argumentsFor(schema, { ...QUICK, ...ids });
  const field = fc.constantFrom(...names, ...Object.keys(schema['properties'] ?? {}), 'other');
  const args = fc.oneof(
    fc.constant(own),
    generated,
    generated.map((some) => ({ ...own, ...some })),
    fc.tuple(field, hostile).map(([name, value]) => ({ ...own, [name]: value })),
    fc.dictionary(field, hostile, { maxKeys: 5, noNullPrototype: true }),
  );
  return fc.record({ args, side });
}

/** With the ids of one side in place of their names. */
function filled(value: unknown, made: Made): unknown {
  if (typeof value === 'string') {
    const [, name] = HOLDER.exec(value) ?? [];
    return name === undefined ? value : made(name);
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, made));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, made)]));
}

/**
 * With a value for each place of the address. A URL cannot hold half a character, and takes dots for itself:
 * test/http/fuzz.test.ts sends such as bytes.
 */
function forUrls({ rest }: Tool, args: Fields): Fields {
  const inPlace = (value: unknown) => {
    const written = typeof value === 'string' ? value : JSON.stringify(value ?? 'none');
    return /^\.*$/.test(written) ? 'dots' : written.toWellFormed();
  };
  const places = [...(rest?.path ?? '').matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const others = Object.entries(args).map(([name, value]) => [
    name.toWellFormed(),
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(places.map((name) => [name, inPlace(args[name])])),
  };
}

interface Call {
  readonly tool: Tool;
  readonly way: Lane;
  readonly args: Fields;
}

type Check = (value: unknown) => { readonly valid: boolean; readonly errorMessage: string | undefined };

/** Holds the answers of a tool to the schema under which it is published. */
class Published {
  readonly #validator = new AjvJsonSchemaValidator();
  readonly #checks = new Map<string, readonly Check[]>();

  problemsOf(tool: Tool, lane: 'REST' | 'MCP', content: unknown): string {
    const key = `${tool.name} ${lane}`;
    const checks =
      this.#checks.get(key) ?? schemasOf(tool, lane).map((schema) => this.#validator.getValidator(schema));
    this.#checks.set(key, checks);
    const failed = checks.map((check) => check(content)).find(({ valid }) => !valid);
    return failed === undefined ? '' : (failed.errorMessage ?? 'invalid');
  }
}

/** The list shows how an answer begins, which clients check; the rest of it is promised all the same. */
function schemasOf(tool: Tool, lane: 'REST' | 'MCP'): JsonSchema[] {
  return lane === 'MCP'
    ? [outputForHosts(tool.output), wholeOutput(tool)]
    : [jsonSchema(tool.rest?.shows?.schema ?? tool.output, 'output')];
}

describe(`whatever is generated from the registry, from seed ${seed}`, () => {
  const published = new Published();
  let server: TestServer;
  let walkers: Walkers;
  let made: Readonly<Record<Side, Made>>;
  const credentials = new Map<string, string>();
  const served = new Set<string>();
  beforeAll(async () => {
    const limits = ['RATE_LIMIT_AUTH', 'SIGNUPS_PER_HOUR', 'MAILS_PER_IP', 'AGENT_REQUESTS_PER_IP'];
    const settings = Object.fromEntries(limits.map((name) => [name, '1000000']));
    server = await startTestServer({ own: true, settings });
    // What sells is on the market for everybody.
    const named = ({ by }: Step, args: Fields) =>
      by === 'buyer' && typeof args['name'] === 'string'
        ? { ...args, name: `${args['name']} ${MARKER}` }
        : args;
    const foreign = await walk(server, { respell: named });
    walkers = await newWalkers(server);
    made = { foreign: foreign.made, own: (await walk(server, { walkers })).made };
  }, 180_000);
  afterAll(() => server.stop());

  /** A key of the caller's side, or its browser: anew where a case has ended the last one. */
  async function credentialFor(step: Step, isOver: boolean): Promise<string> {
    const kind = `${step.by} ${isForPeople(step)}`;
    const last = credentials.get(kind);
    if (last !== undefined && !isOver) return last;
    const person = walkers[step.by];
    const credential = isForPeople(step)
      ? (await newBrowser(server, person.organizationId)).credential
      : (await person.withKey(EVERYTHING)).key;
    credentials.set(kind, credential);
    return credential;
  }

  async function callWith(step: Step, { tool, way, args }: Call): Promise<Outcome> {
    const ask = async (isOver: boolean) =>
      way({ url: server.url, key: await credentialFor(step, isOver), tool, args });
    const outcome = await ask(false);
    return outcome.status === 401 || outcome.content['code'] === 'UNAUTHORIZED' ? ask(true) : outcome;
  }

  function expectSound(tool: Tool, lane: 'REST' | 'MCP', { status, content, failed }: Outcome): void {
    const shown = JSON.stringify(content);
    // What the contract documents and is not built is told so.
    if (status !== 501) expect(status, shown).toBeLessThan(500);
    expect(shown).not.toMatch(TRACE);
    expect(shown).not.toContain(MARKER);
    if (!failed) {
      served.add(`${lane} ${tool.effect === 'read' ? 'reads' : 'changes'}`);
      // 204 has nothing to say.
      expect(status === 204 ? '' : published.problemsOf(tool, lane, content), shown).toBe('');
      return;
    }
    expectCoded(content, shown);
  }

  function expectCoded(content: Outcome['content'], shown: string): void {
    const { code } = content;
    // A call that MCP itself refuses has one of its numbers.
    if (typeof code === 'number') expect(code).toBeLessThan(-32_000);
    else expect(Object.keys(errorCatalogue)).toContain(code);
    expect(code, shown).not.toBe('INTERNAL_ERROR');
    expect(code, shown).not.toBe(-32_603);
  }

  test.each(byTool(ofTools))(
    'for %s is answered by what it publishes or refused by a code, and tells nothing of others',
    async (_name, step) => {
      const tool = tools.find(({ name }) => name === step.tool);
      if (tool === undefined) throw new Error(`${step.tool} is no tool.`);
      const lanes = [
        ...(tool.rest === undefined ? [] : (['REST'] as const)),
        ...(isOverMcp(tool) ? (['MCP'] as const) : []),
      ];
      await fc.assert(
        fc.asyncProperty(casesFor(step), fc.constantFrom(...lanes), async (one, lane) => {
          const given = Object.fromEntries(
            Object.entries(one.args).map(([name, value]) => [name, filled(value, made[one.side])]),
          );
          const [way, args] = lane === 'REST' ? [overRest, forUrls(tool, given)] : [overMcp, given];
          expectSound(tool, lane, await callWith(step, { tool, way, args }));
        }),
        { numRuns: casesOf({ share: 0.4 / ofTools.length, tools: 1 }), endOnFailure: true },
      );
    },
    timeoutOf(60_000),
  );

  test('is no mere refusal: calls that read and calls that change are served over REST and MCP', () => {
    expect([...served].toSorted()).toEqual(['MCP changes', 'MCP reads', 'REST changes', 'REST reads']);
  });

  test('leaves nothing in the log that went wrong inside', () => {
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
