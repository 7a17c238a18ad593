import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isOverMcp, type Tool } from '../../tools/core/define.ts';
import { errorCatalogue } from '../../tools/core/errors/catalogue.ts';
import { outputForHosts } from '../../tools/core/host-schemas.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { streams, tools } from '../../tools/registry.ts';
import { byTool, capabilityOf, firstSteps } from '../journeys/journey.ts';
import { type Fields, isForPeople, type Made, type Step } from '../journeys/step.ts';
import { newWalkers, type Walkers, walk } from '../journeys/walk.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { dataIn, overStream, type StreamOutcome } from '../support/callers/stream-lane.ts';
import { inWords, type Lane, type Outcome, overMcp, overRest } from '../support/callers/tool-lanes.ts';
import { wholeOutput } from '../support/house/whole-output.ts';
import { casesOf, seed, timeoutOf } from '../support/run/effort.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { TRACE } from '../support/server/traces.ts';
import { type Case, casesFor, filled, forUrls, hostile, MARKER, type Side } from './generated-cases.ts';

const EVERYTHING = ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'] as const;
const ofTools = firstSteps.filter((step) => 'handler' in capabilityOf(step));
const ofStreams = firstSteps.filter((step) => !ofTools.includes(step));
/** Those that a session may have had, and one that none has. */
const REVISIONS = ['0', '1', '2', '99'];
/** What a header can hold. */
const HEADER = /^[\t\x20-\x7e\x80-\xff]*$/;

interface StreamCase {
  readonly one: Case;
  /** In the place of the event to begin after: the number of one that there is, or anything. */
  readonly after: unknown;
  /** The same in the header of readers that come back. */
  readonly lastEventId: unknown;
}

const event = fc.oneof(fc.nat(), fc.nat(), hostile);

const streamCasesFor = (step: Step): fc.Arbitrary<StreamCase> =>
  fc.record({
    one: casesFor(step),
    after: fc.option(event, { nil: undefined }),
    lastEventId: fc.option(event, { nil: undefined }),
  });

interface Call {
  readonly tool: Tool;
  readonly way: Lane;
  readonly args: Fields;
}

/** What a caller of a stream is refused with. */
function refusalIn(text: string): Fields {
  const { data, error } = JSON.parse(text);
  expect(data).toBeNull();
  return error;
}

type Check = (value: unknown) => { readonly valid: boolean; readonly errorMessage: string | undefined };

/** Holds the answers of a tool to the schema under which it is published. */
class Published {
  readonly #validator = new AjvJsonSchemaValidator();
  readonly #checks = new Map<string, readonly Check[]>();

  problemsOf(tool: Tool, lane: 'REST' | 'MCP', content: unknown): string {
    return this.#problems(`${tool.name} ${lane}`, () => schemasOf(tool, lane), content);
  }

  problemsOfEvent({ name, payload }: Stream, content: unknown): string {
    return this.#problems(name, () => [jsonSchema(payload, 'output')], content);
  }

  #problems(key: string, schemas: () => JsonSchema[], content: unknown): string {
    const checks = this.#checks.get(key) ?? schemas().map((schema) => this.#validator.getValidator(schema));
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
    const foreign = await walk(server, { respell: named, onlyMakes: true });
    walkers = await newWalkers(server);
    made = { foreign: foreign.made, own: (await walk(server, { walkers, onlyMakes: true })).made };
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
          const [way, args] =
            lane === 'REST' ? [overRest, forUrls(tool.rest?.path, given)] : [overMcp, given];
          expectSound(tool, lane, await callWith(step, { tool, way, args }));
        }),
        { numRuns: casesOf({ share: 0.4 / ofTools.length, tools: 1 }), endOnFailure: true },
      );
    },
    timeoutOf(60_000),
  );

  /** Events of both sides: who names one of somebody else's learns nothing of it. */
  async function eventIds(): Promise<string[]> {
    const open = server.store.db.withoutPlugins();
    return (await open.selectFrom('account_events').select('id').execute()).map(({ id }) => id);
  }

  function expectSoundStream(stream: Stream, { status, headers, text }: StreamOutcome): void {
    expect(status, text).toBeLessThan(500);
    expect(text).not.toMatch(TRACE);
    expect(text).not.toContain(MARKER);
    if (status >= 400) {
      expectCoded(refusalIn(text), text);
      return;
    }
    expect([200, 204]).toContain(status);
    if (status === 200) expect(headers.get('content-type')).toContain('text/event-stream');
    expect(text).not.toContain('event: error');
    const told = dataIn(text);
    if (told.length > 0) served.add('events');
    for (const one of told) expect(published.problemsOfEvent(stream, one), text).toBe('');
  }

  test.each(byTool(ofStreams))(
    'for the stream %s is answered by events as it publishes them or refused by a code, and tells nothing of others',
    async (_name, step) => {
      const stream = streams.find(({ name }) => name === step.tool);
      if (stream === undefined) throw new Error(`${step.tool} is no stream.`);
      const ids = stream.resumesAfter === 'after' ? await eventIds() : REVISIONS;
      const asText = (one: unknown) => (typeof one === 'number' ? ids[one % ids.length] : inWords(one));
      await fc.assert(
        fc.asyncProperty(streamCasesFor(step), async ({ one, after, lastEventId }) => {
          const begin = after === undefined ? {} : { [stream.resumesAfter]: asText(after) };
          const given = filled({ ...one.args, ...begin }, made[one.side]) as Fields;
          const header = lastEventId === undefined ? '' : asText(lastEventId);
          const outcome = await overStream({
            url: server.url,
            key: await credentialFor(step, false),
            stream,
            args: forUrls(stream.path, given),
            ...(header !== undefined && HEADER.test(header) ? { lastEventId: header } : {}),
          });
          expectSoundStream(stream, outcome);
        }),
        { numRuns: casesOf({ share: 0.03, tools: 1 }), endOnFailure: true },
      );
      await vi.waitUntil(() => server.running.app.seats.taken === 0, { timeout: 10_000 });
    },
    timeoutOf(60_000),
  );

  test('is no mere refusal: calls that read and calls that change are served over REST and MCP, and events told', () => {
    expect([...served].toSorted()).toEqual([
      'MCP changes',
      'MCP reads',
      'REST changes',
      'REST reads',
      'events',
    ]);
  });

  test('leaves nothing in the log that went wrong inside', () => {
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
