import { factsOf } from '../../tools/core/surfaces.ts';
import { capabilityOf, changes, overMcpAlone } from '../journeys/journey.ts';
import type { Fields, Step } from '../journeys/step.ts';
import type { Way } from './asking.ts';
import { OPEN_TO_UNCLAIMED, OPEN_WITHOUT_TERMS, REACHING_BELOW, READING_BELOW, type Row } from './table.ts';

/** How a call has to end, and with what it is asked. */
export interface Cell {
  /** `passed`; the status of HTTP with the code of the refusal; over MCP the code alone, of what the tool says. */
  readonly end: string;
  /** The change is let in: it is asked with a field too many, so that it comes to its input and no further. */
  readonly isLetIn: boolean;
  /** The code that the audit log has of it; undefined where there is no entry. */
  readonly logged?: string;
}

/** A field that no capability knows. */
export const SURPLUS: Fields = { surplusOfTheMatrix: true };

const STATUS = {
  FORBIDDEN: 403,
  ACCESS_DENIED: 403,
  TOS_ACCEPTANCE_REQUIRED: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 400,
} as const;
type Code = keyof typeof STATUS;

/** A cell of the matrix; undefined where a capability has no address on that way in. */
export function expected(row: Row, step: Step, way: Way): Cell | undefined {
  if (!isAsked(row, step, way)) return undefined;
  const end = way === 'REST' ? endAtTheDoorOfRest(row, step) : endAtTheDoorOfMcp(row, step, way);
  if (end !== undefined) return { end, isLetIn: false };
  const word = row.ends[step.needs];
  const code = word === 'ok' || isOpenTo(row, step) ? codeWithin(row, step) : 'FORBIDDEN';
  if (code === undefined) return { end: 'passed', isLetIn: false };
  // Which scope to ask for is told where clients of OAuth look: by the status, over MCP as well.
  const isByTool = way === 'api_call' || (way === 'MCP' && word !== 'ask');
  return {
    end: isByTool ? code : `${STATUS[code]} ${code}`,
    isLetIn: code === 'VALIDATION_ERROR',
    ...(changes(step) ? { logged: code } : {}),
  };
}

/** A few stand for all where one tool passes on what another decides. */
const THROUGH_API_CALL: readonly string[] = [
  'a read key',
  'a narrowed key',
  'a MEMBER at a browser',
  'an ADMIN at a browser',
  'a program of an ADMIN',
  'a program that an ADMIN lets read',
  'an admin key of another organization',
];

function isAsked({ who }: Row, step: Step, way: Way): boolean {
  if (way === 'REST') return !overMcpAlone(step);
  return way === 'MCP' || (step.needs !== 'nothing' && THROUGH_API_CALL.includes(who));
}

/** Nobody knows who it is that would be in the log. */
function endAtTheDoorOfRest({ ends }: Row, { needs }: Step): string | undefined {
  return ends[needs] === '401' ? '401 UNAUTHORIZED' : undefined;
}

/**
 * Over MCP nobody is let in without a credential, nor an agent that nobody claimed, whatever they ask: not a word of
 * it is read, and nothing is in the log. What needs a browser is no tool there: an agent can neither make nor see
 * credentials (Authentication, rule 3), nor manage people. A stream has a way of its own.
 */
function endAtTheDoorOfMcp({ ends, bound }: Row, step: Step, way: Way): string | undefined {
  if (ends['buyer:read'] === '401') return '401 UNAUTHORIZED';
  if (bound === 'unclaimed') return '403 FORBIDDEN';
  const isForAgents = !step.needs.startsWith('browser:') && step.overRestAlone !== true;
  const isTool = isForAgents && 'handler' in capabilityOf(step);
  if (isTool) return undefined;
  return way === 'MCP' ? 'unknown tool' : 'no such operation';
}

function isOpenTo({ bound }: Row, { tool }: Step): boolean {
  return bound === 'unclaimed' && OPEN_TO_UNCLAIMED.includes(tool);
}

/** How it ends for who holds what the step needs: by what else bounds the caller; undefined where it passes. */
function codeWithin(row: Row, step: Step): Code | undefined {
  const bounded = CODES[row.bound ?? 'nothing'](step);
  if (bounded !== undefined) return bounded;
  return changes(step) ? 'VALIDATION_ERROR' : undefined;
}

const CODES: Readonly<Record<NonNullable<Row['bound']> | 'nothing', (step: Step) => Code | undefined>> = {
  nothing: () => undefined,
  // Its sandbox has nothing of others.
  unclaimed: (step) => ofOthers(step),
  elsewhere: (step) => ofOthers(step),
  above: (step) => (REACHING_BELOW.includes(step.tool) ? undefined : ofOthers(step)),
  // A surface is closed to an organization that has no account on its side.
  'other side': (step) => {
    const isOfSide = factsOf(capabilityOf(step).surface).side !== null;
    return isOfSide && step.needs !== 'nothing' ? 'FORBIDDEN' : ofOthers(step);
  },
  // Its grants name another advertiser than the journey's.
  grants: (step) =>
    beyond(step, 'grants') ??
    (READING_BELOW.includes(step.tool) ? 'NOT_FOUND' : undefined) ??
    (names(step, 'advertiser') || step.ofMaker === true ? 'ACCESS_DENIED' : undefined),
  sandbox: (step) => beyond(step, 'sandbox'),
  // Before terms come objects, and these are there; reads go on.
  terms: (step) =>
    changes(step) && !OPEN_WITHOUT_TERMS.includes(step.tool) ? 'TOS_ACCEPTANCE_REQUIRED' : undefined,
};

/** A narrowed or test key reads its account; it changes what keeps within its bounds. */
function beyond(step: Step, bound: 'grants' | 'sandbox'): Code | undefined {
  return changes(step) && step.within?.includes(bound) !== true ? 'FORBIDDEN' : undefined;
}

/** An object of another organization is not there. */
function ofOthers(step: Step): Code | undefined {
  return names(step, 'advertiser', 'account', 'hidden', 'organization') ? 'NOT_FOUND' : undefined;
}

function names(step: Step, ...reaches: readonly string[]): boolean {
  const given = Object.keys(step.args?.((name) => name) ?? {});
  return Object.entries(step.names ?? {}).some(
    ([field, reach]) => reaches.includes(reach) && given.includes(field),
  );
}
