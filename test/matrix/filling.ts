import { changes, firstSteps } from '../journeys/journey.ts';
import type { Step } from '../journeys/step.ts';
import { type Moment, type Walkers, walk } from '../journeys/walk.ts';
import type { Person } from '../support/callers/people.ts';
import type { Outcome } from '../support/callers/tool-lanes.ts';
import { withoutTerms } from '../support/callers/without-terms.ts';
import { lastEntry } from '../support/database/last-entry.ts';
import type { TestServer } from '../support/server/server.ts';
import { endOf, ways } from './asking.ts';
import type { Callers } from './callers.ts';
import { expected, SURPLUS } from './expected.ts';
import { changedIn, refusalsSince, storedIn, tablesCompared } from './stored.ts';
import type { Row } from './table.ts';
import { type Asked, inTurn, type OnWay } from './turns.ts';

/** What was seen of one capability. */
export interface Seen {
  /** How each caller ended on each way in, and how it had to end. */
  readonly ends: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, string>>;
  /** Tables that were not as before when all who were refused had asked. */
  readonly changed: readonly string[];
  /** What the audit log had of them then, and what it had to have. */
  readonly logged: readonly string[];
  readonly toBeLogged: readonly string[];
}

export interface Filling {
  readonly table: readonly Row[];
  readonly walkers: Walkers;
  /** Who asks at the steps of either side. */
  readonly callers: Readonly<Record<'buyer' | 'seller', Callers>>;
  /** Who makes a change, of the callers: one to whom no more was given than it needs. */
  readonly maker: (step: Step) => string | undefined;
  /** Whose acceptance of the terms counts for an organization. */
  readonly governing?: (person: Person) => Person;
}

export interface Filled {
  readonly seen: ReadonlyMap<string, Seen>;
  /** Why the walk went no further, if it did not. */
  readonly failure: string | undefined;
}

/**
 * Asks every capability for every caller, on the ways that are due (`inTurn`), at the moment of the journey at which it
 * would succeed. What reads and is let in is answered. What is refused is asked in full, so that it would be done if it
 * were not refused. What changes something and is let in is done once, by the caller who holds least; for the others a
 * field too many shows that they come as far as the input, which is read once the caller was let in (decisions,
 * section 6), and no further.
 */
export async function fill(server: TestServer, filling: Filling): Promise<Filled> {
  requireRows(filling);
  const seen = new Map<string, Seen>();
  const tables = await tablesCompared(server.store);
  const before = async (moment: Moment): Promise<void> => {
    if (!firstSteps.includes(moment.step)) return;
    seen.set(moment.step.tool, await askAll(moment));
  };
  const instead = async ({ step, ask }: Moment): Promise<Outcome | undefined> => {
    const maker = filling.maker(step);
    if (maker === undefined || !changes(step)) return undefined;
    const outcome = await ask({ key: filling.callers[step.by][maker] ?? '' });
    if (outcome.failed) {
      throw new Error(`${step.tool} refused ${maker}: ${JSON.stringify(outcome.content)}`);
    }
    return outcome;
  };
  // What should have been refused and was done may stand in the way of the walk: the cells seen so far tell of it.
  const failure = await walk(server, { walkers: filling.walkers, before, instead }).then(
    () => undefined,
    (thrown: unknown) => String(thrown),
  );
  return { seen, failure };

  async function askAll(moment: Moment): Promise<Seen> {
    const { step } = moment;
    const ends: Record<string, string> = {};
    const ask = async (asked: readonly Asked[]) => {
      for (const one of asked) ends[nameOf(one)] = await endOfCell(moment, one);
    };
    const cells = inTurn(cellsOf(step), firstSteps.indexOf(step));
    const isPassing = ({ cell }: Asked) => cell.end === 'passed';
    await ask(cells.filter(isPassing));
    const { store } = server;
    const [stored, last] = [await storedIn(store, tables), await lastEntry(store)];
    const others = cells.filter((one) => !isPassing(one));
    await ask(others);
    return {
      ends,
      expected: Object.fromEntries(cells.map((one) => [nameOf(one), one.cell.end])),
      changed: changedIn(stored, await storedIn(store, tables)),
      logged: await refusalsSince(store, last),
      toBeLogged: others.flatMap(({ cell: { logged } }) =>
        logged === undefined ? [] : `${step.tool} ${logged}`,
      ),
    };
  }

  function cellsOf(step: Step): OnWay[] {
    return filling.table.flatMap((row) =>
      ways.flatMap((way) => {
        const cell = expected(row, step, way);
        return cell === undefined ? [] : [{ row, way, cell }];
      }),
    );
  }

  function endOfCell(moment: Moment, { row, way, cell, servers }: Asked): Promise<string> {
    const { step, args, person } = moment;
    const key = filling.callers[step.by][row.who];
    if (key === undefined) throw new Error(`Nobody was made who is ${row.who}.`);
    const given = cell.isLetIn ? { ...args, ...SURPLUS } : args;
    const question = { url: server.url, key, way, args: given, servers };
    const ask = () => endOf(moment, question);
    if (row.bound !== 'terms') return ask();
    return withoutTerms(server, filling.governing?.(person) ?? person, ask);
  }
}

/** Who was made and has no row would never ask. */
function requireRows({ table, callers }: Filling): void {
  const rows = table.map(({ who }) => who);
  const without = Object.keys({ ...callers.buyer, ...callers.seller }).filter((who) => !rows.includes(who));
  if (without.length > 0) throw new Error(`test/matrix/table.ts has no row for ${without.join(', ')}.`);
}

function nameOf({ row, way }: OnWay): string {
  return `${row.who}, over ${way}`;
}

/** What a test says of a capability that nobody wrote a row for. */
export function rowMissing(capability: string): string {
  return (
    `Nobody wrote down who may call ${capability}: a step in test/journeys/<family>.ts says so with its words needs ` +
    'and within, by interface.md and decisions.md, section 6, and not by what the definition says.'
  );
}
