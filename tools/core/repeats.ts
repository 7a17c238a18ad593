import { fromFlag, fromJson } from '../../store/engine/codec.ts';
import {
  deleteIdempotencyKey,
  findIdempotencyKey,
  type IdempotencyKeyRow,
} from '../../store/idempotency-keys.ts';
import { lastBeat } from '../../store/unscoped/processes.ts';
import type { Answer } from './call-context.ts';
import { Unanswered } from './consent.ts';
import type { Services } from './context.ts';
import { answerBeyond, answerNotKept, keyUsedOtherwise, stillUnderWay } from './errors/repeat-refusals.ts';
import { atOnce, doInSteps, isInSteps, Twin } from './repeat-doing.ts';
import { roomForKey } from './repeat-room.ts';
import { mayStillSee, type Repeatable, type Way, wayOf } from './repeat-way.ts';

/** No call takes this long: a claim that is older lost its answer. */
const CLAIM_MS = 600_000;

/**
 * Does a change once for its key, and answers its repeats with what was answered then. Who made it is answered
 * before the gates that ask for the object, which may be gone since; another credential of the account after them.
 */
export async function answerOnce(repeatable: Repeatable): Promise<Answer> {
  const way = wayOf(repeatable);
  const before = await known(way);
  if (before !== undefined) {
    if (before.principal !== way.caller.principal) await way.pass();
    return replayed(way, before);
  }
  const gates = { passed: false };
  try {
    return await done(way, gates);
  } catch (thrown) {
    if (thrown instanceof Unanswered || way.claimed) throw thrown;
    return fromTwin(way, { thrown, passed: gates.passed });
  }
}

async function done(way: Way, gates: { passed: boolean }): Promise<Answer> {
  const ctx = await way.pass();
  gates.passed = true;
  await way.requireVersion(ctx);
  way.room = await roomForKey(way.services, way.scope);
  const asked = await way.consented(ctx);
  return isInSteps(way) ? doInSteps(way, asked) : atOnce(way, asked);
}

/** What was refused may have been refused because a twin was faster: then that one has the answer. */
async function fromTwin(way: Way, { thrown, passed }: { thrown: unknown; passed: boolean }): Promise<Answer> {
  const twin = await known(way).catch((err: unknown) => {
    // What was thrown first is the answer. This is for whoever reads the log.
    way.services.log.error({ err }, 'looking for the answer of a twin failed');
    return undefined;
  });
  if (twin !== undefined && (passed || twin.principal === way.caller.principal)) return replayed(way, twin);
  throw thrown instanceof Twin ? stillUnderWay(way.keyed.field) : thrown;
}

/** The row of the key, unless its time is over. */
async function known({ services, scope, hash }: Way): Promise<IdempotencyKeyRow | undefined> {
  const { db } = services.store;
  const row = await findIdempotencyKey(db, scope, hash);
  if (row === undefined || ageOf(services, row) < services.limits.keysKeptMs) return row;
  await deleteIdempotencyKey(db, scope, row);
  return undefined;
}

function ageOf({ ports }: Services, { created_at }: IdempotencyKeyRow): number {
  return ports.clock.now() - Date.parse(created_at);
}

async function replayed(way: Way, row: IdempotencyKeyRow): Promise<Answer> {
  const { keyed, tool, input } = way;
  const { field } = keyed;
  if (row.input_hash !== way.inputHash) throw keyUsedOtherwise(field);
  if (!mayStillSee(way, row)) throw answerBeyond(field, row.created_at);
  if (row.answer !== null) {
    const version = row.version ?? undefined;
    return { output: fromJson(row.answer), input, existed: fromFlag(row.existed), version, replayed: true };
  }
  if (await isUnderWay(way.services, row)) throw stillUnderWay(field);
  throw answerNotKept(field, {
    kind: tool.audit.kind,
    resourceId: row.resource_id,
    at: row.created_at,
  });
}

/** Whether a living process is still at work on it. */
async function isUnderWay(services: Services, row: IdempotencyKeyRow): Promise<boolean> {
  const { process_id: id } = row;
  if (id === null || ageOf(services, row) >= CLAIM_MS) return false;
  if (id === services.processId) return true;
  const seen = await lastBeat(services.store.db, id);
  return seen !== undefined && services.ports.clock.now() - Date.parse(seen) < services.limits.processLeaseMs;
}
