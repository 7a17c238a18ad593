import { expect, test } from 'vitest';
import type { Tool } from '../../tools/core/define.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { parseInput } from '../../tools/core/validation.ts';
import { tools } from '../../tools/registry.ts';
import { fieldsOf } from '../support/house/schema-walk.ts';
import { stepsIn } from '../support/house/steps-named.ts';

const ID = /(?:^id|Id|Ids|_ids?)$/;
/** Looked up by no tool: a name that is given here, and what the other side tells. */
const NOT_LOOKED_UP = [
  'inventory_source_create sourceId',
  'proposal_create discoveryId',
  'proposal_create operatorId.customerId',
];

/** What is no id of the kind that is wanted, whichever that is. */
const WRONG = 'sec_of another kind';

function inputWith(path: string): unknown {
  const steps = path.split(/\.|(?=\[\])/);
  return steps.reduceRight<unknown>((inner, step) => (step === '[]' ? [inner] : { [step]: inner }), WRONG);
}

/** What is said of the field; undefined where it is taken, or refused for something else. */
function refusalAt(tool: Tool, path: string): AppError | undefined {
  const place = path.replaceAll('[]', '.0');
  try {
    parseInput(tool, inputWith(path));
    return undefined;
  } catch (refused) {
    if (!(refused instanceof AppError)) throw refused;
    return refused.message.includes(`${place}:`) ? refused : undefined;
  }
}

const refused = tools.flatMap((tool) =>
  fieldsOf(jsonSchema(tool.input, 'input'))
    .filter(({ path }) => ID.test(path) && !NOT_LOOKED_UP.includes(`${tool.name} ${path}`))
    .flatMap(({ path }) => {
      const refusal = refusalAt(tool, path);
      return refusal === undefined ? [] : [[`${tool.name} ${path}`, refusal] as const];
    }),
);

test('ids of every kind are refused somewhere', () => {
  expect(refused.length).toBeGreaterThanOrEqual(90);
});

test.each(refused)('whoever gives another id for %s is told where the right one is', (_field, refusal) => {
  expect(stepsIn(refusal.suggestion), refusal.suggestion).not.toEqual([]);
});
