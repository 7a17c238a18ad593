import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRestTool } from '../../tools/core/define.ts';
import { isConditional } from '../../tools/core/versions.ts';
import { tools } from '../../tools/registry.ts';
import { findText, type Moment, walk } from '../journeys/walk.ts';
import { type Lane, type Outcome, overMcp, overRest } from '../support/callers/tool-lanes.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { Seen } from './support.ts';

interface Repeated {
  readonly first: Outcome;
  /** By another credential of the account, as it was. */
  readonly byAnother: Outcome;
  /** On another version, as it would be named by who read again. */
  readonly onAnother: Outcome;
}

/** A call that is made on a version. */
type On = (moment: Moment, version: string) => { readonly lane: Lane; readonly args: Moment['args'] };

interface Way {
  readonly name: string;
  readonly on: On;
  /** The version that a refusal shows. */
  readonly shownIn: (moment: Moment, refused: Outcome) => string | undefined;
  /** Names no version that there is. */
  readonly none: string;
}

/** What is gone once it is deleted: another credential is told so, and who deleted it gets the answer. */
const GONE: readonly string[] = ['inventory_source_delete'];
/** Their answers show codes of proposals, and are kept for nobody: `repeats.test.ts` has them. */
const SHOW_CODES: readonly string[] = ['proposal_update', 'proposal_revoke'];
/** Decided by a person who is signed in: no other credential may decide it. */
const DECIDED: readonly string[] = ['spend_approval_approve', 'spend_approval_reject'];
/** The journey has it make a campaign, which has no version before. */
const MADE_WITH_IT: readonly string[] = ['media_buy_create_batch'];
const LEFT_OUT = [...SHOW_CODES, ...DECIDED, ...MADE_WITH_IT];

const conditional = tools.filter((tool) => isConditional(tool) && isRestTool(tool));
const names = conditional.map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name));

const fieldOf = ({ step }: Moment) =>
  conditional.find(({ name }) => name === step.tool)?.audit?.kind.versioned?.field ?? 'revision';

const ways: readonly Way[] = [
  {
    name: 'REST',
    on: ({ args }, version) => ({ args, lane: (call) => overRest({ ...call, ifMatch: version }) }),
    shownIn: (_, { content }) => findText(content, 'etag'),
    none: '"999999"',
  },
  {
    name: 'MCP',
    on: (moment, version) => {
      const field = fieldOf(moment);
      const given = field === 'revision' ? Number(version) : version;
      return { args: { ...moment.args, [field]: given }, lane: overMcp };
    },
    shownIn: (moment, { content }) => findText(content, fieldOf(moment)),
    none: '999999',
  },
];

describe.each(ways)(
  'a change over $name that was made on a version, repeated',
  ({ name: way, on, shownIn, none }) => {
    const seen = new Seen<Repeated>();
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer();
      await walk(server, { instead: (moment) => made(moment), onlyMakes: true });
    }, 240_000);
    afterAll(() => server.stop());

    async function made(moment: Moment): Promise<Outcome | undefined> {
      const { step, person, ask } = moment;
      if (!names.includes(step.tool)) return undefined;
      const refused = await ask(on(moment, none));
      const version = shownIn(moment, refused);
      if (version === undefined) return undefined;
      const repeatKey = `version-${step.tool}-${Math.random()}`;
      const { lane, args } = on(moment, version);
      const keyed: Lane = (call) => lane({ ...call, repeatKey });
      const first = await ask({ lane: keyed, args });
      const another = await person.withKey(['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin']);
      const byAnother = await ask({ lane: keyed, args, key: another.key });
      const other = on(moment, none);
      const onAnother = await ask({
        args: other.args,
        lane: (call) => other.lane({ ...call, repeatKey }),
      });
      seen.add(step.tool, { first, byAnother, onAnother });
      return first;
    }

    test.each(names)('by another credential of the account, %s is answered as before', (tool) => {
      expect(seen.of(tool).length).toBeGreaterThan(0);
      for (const { first, byAnother } of seen.of(tool)) {
        expect(first).toMatchObject({ failed: false, replayed: false });
        if (GONE.includes(tool)) {
          expect(byAnother.content).toMatchObject({ code: 'NOT_FOUND' });
        } else {
          expect(byAnother).toMatchObject({ failed: false, replayed: true, status: first.status });
          expect(byAnother.content).toEqual(first.content);
          expect(byAnother.headers.get('etag')).toBe(first.headers.get('etag'));
        }
      }
    });

    test.each(names)('on another version, %s is answered as a header or an argument has it', (tool) => {
      expect(seen.of(tool).length).toBeGreaterThan(0);
      for (const { first, onAnother } of seen.of(tool)) {
        // If-Match bounds what is made now, and nothing is: who read again is told what their first call did.
        if (way === 'REST') expect(onAnother).toMatchObject({ replayed: true, content: first.content });
        // An argument is a part of what was asked.
        else expect(onAnother.content).toMatchObject({ code: 'CONFLICT', field: 'idempotencyKey' });
      }
    });
  },
);
