import { type RawBuilder, sql } from 'kysely';
import type { refinementStatuses } from './discovery-sessions.ts';
import type { Db } from './engine/db.ts';
import { elementsAt, hasField, numberAt, textAt } from './engine/json-values.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

/**
 * What the sellers of a session said beside their products, added up by the database: a session may ask thousands,
 * and what each of them said may be long.
 */

const stages = ['screening', 'evaluation'] as const;
const figures = [
  'passes',
  'evaluated',
  'accepted',
  'rejected',
  'limitReached',
  'ranked',
  'passedBy',
] as const;

/** What the answers of all sellers came to in one stage. */
export type AssessmentSum = Readonly<Record<(typeof figures)[number], number>> & {
  /** Sellers whose answers went through it, and those of them whose products were put in order. */
  readonly sellers: number;
  readonly ordered: number;
};

export type AssessmentSums = Readonly<Record<(typeof stages)[number], AssessmentSum>>;

/** One row of sums for each stage. */
export async function sumAssessments(db: Db, scope: Scope, sessionId: string): Promise<AssessmentSums> {
  const figureAt = (stage: string, figure: string) => numberAt(db, 'told', ['assessment', stage, figure]);
  const sumOf = (stage: string): Readonly<Record<string, RawBuilder<number>>> => ({
    sellers: sql<number>`count(${figureAt(stage, 'passes')})`,
    ordered: sql<number>`count(case when ${figureAt(stage, 'ranked')} > 0 then 1 end)`,
    ...Object.fromEntries(
      figures.map((figure) => [figure, sql<number>`coalesce(sum(${figureAt(stage, figure)}), 0)`]),
    ),
  });
  const columns = stages.flatMap((stage) =>
    Object.entries(sumOf(stage)).map(([name, sum]) => sum.as(`${stage}_${name}`)),
  );
  const row: Readonly<Record<string, unknown>> = await db
    .selectFrom('discovery_agents')
    .select(columns)
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .where('told', 'is not', null)
    .executeTakeFirstOrThrow();
  const numbersOf = (stage: string) =>
    Object.fromEntries(Object.keys(sumOf(stage)).map((name) => [name, Number(row[`${stage}_${name}`])]));
  return { screening: numbersOf('screening'), evaluation: numbersOf('evaluation') } as AssessmentSums;
}

/** One way in which a change of the request was answered, by however many sellers. */
export interface RefinementWay {
  readonly index: number;
  readonly status: (typeof refinementStatuses)[number];
}

/** In which ways the changes that were asked for were answered: each way once. */
export async function listRefinementWays(db: Db, scope: Scope, sessionId: string): Promise<RefinementWay[]> {
  const rows = await repliesOf(db, scope, sessionId)
    .select([replyIndex(db).as('index'), replyText(db, 'status').as('status')])
    .distinct()
    .execute();
  return rows.map(({ index, status }) => ({
    index: Number(index),
    status: status as RefinementWay['status'],
  }));
}

export interface RefinementNote {
  readonly index: number;
  readonly seller: string;
  readonly notes: string;
}

/** What sellers said of each change, so many of each, in the order of their storefronts. */
export async function listRefinementNotes(
  db: Db,
  scope: Scope,
  { sessionId, each }: { readonly sessionId: string; readonly each: number },
): Promise<RefinementNote[]> {
  const noted = repliesOf(db, scope, sessionId)
    .select([
      replyIndex(db).as('index'),
      replyText(db, 'notes').as('notes'),
      'storefront_name as seller',
      sql<number>`row_number() over (partition by ${replyIndex(db)} order by storefront_id, agent_id)`.as(
        'place',
      ),
    ])
    .where(replyText(db, 'notes'), 'is not', null);
  const rows = await db
    .selectFrom(noted.as('noted'))
    .select(['index', 'seller', 'notes'])
    .where('place', '<=', each)
    .orderBy('index')
    .orderBy('place')
    .execute();
  return rows.map(({ index, seller, notes }) => ({ index: Number(index), seller, notes: notes ?? '' }));
}

/** The sellers that were asked for changes, a row a change. */
function repliesOf(db: Db, scope: Scope, sessionId: string) {
  return db
    .selectFrom('discovery_agents')
    .innerJoin(elementsAt(db, 'told', 'refinement').as('reply'), (join) => join.onTrue())
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .where(hasField(db, 'told', 'refinement'));
}

function replyIndex(db: Db) {
  return numberAt(db, 'reply.value', ['index']);
}

function replyText(db: Db, field: string) {
  return textAt(db, 'reply.value', [field]);
}
