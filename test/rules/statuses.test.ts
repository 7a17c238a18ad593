import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../tools/core/errors/catalogue.ts';
import { agentRefusalStatuses } from '../../tools/domain/agents/refusals.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

const statuses = new Set<number>(Object.values(errorCatalogue).flatMap((entry) => [...entry.statuses]));
const files = ['adapters', 'tools'].flatMap(sourceFiles);

/** The statuses of refusals that code gives an answer by itself. */
const givenIn = (code: string) =>
  [...code.matchAll(/\b(?:[sS]tatus|statusCode|writeHead)\b\W{1,3}([45]\d\d)\b/g)].map(([, status]) =>
    Number(status),
  );

/** Where a refusal is made other than by a function of `tools/core/errors`. */
const raisesByHand = (code: string) => /\bnew AppError\(/.test(code);

describe('the catalogue of errors', () => {
  test('has every status that code gives to an answer', () => {
    const given = files.flatMap((path) => givenIn(codeOf(path)));

    expect(given.length).toBeGreaterThan(5);
    expect(given.filter((status) => !statuses.has(status))).toEqual([]);
  });

  test('has the statuses of the codes that agents are refused with', () => {
    expect(Object.values(agentRefusalStatuses).filter((status) => !statuses.has(status))).toEqual([]);
  });

  test('would miss another one', () => {
    const code = 'send({ status: 419 }); res.statusCode = 420; res.writeHead(421, {}); answer.status(422);';

    expect(givenIn(code)).toEqual([419, 420, 421, 422]);
  });
});

describe('a refusal', () => {
  test('is raised by a function that says what is wrong, and made in one folder', () => {
    const makers = files.filter((path) => raisesByHand(codeOf(path)));

    expect(makers.filter((path) => !path.startsWith('tools/core/errors/'))).toEqual([]);
    expect(makers.length).toBeGreaterThan(3);
  });
});
