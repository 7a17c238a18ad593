import { toFlag, toJson } from '../../store/engine/codec.ts';
import type { Db } from '../../store/engine/db.ts';
import { isUniqueViolation } from '../../store/engine/dialect.ts';
import {
  insertIdempotencyKey,
  type NewIdempotencyKey,
  type Settled,
  settleIdempotencyKey,
} from '../../store/idempotency-keys.ts';
import type { Answer, CallContext } from './call-context.ts';
import { showsSecret } from './redaction.ts';
import { mayKeep } from './repeat-room.ts';
import type { Way } from './repeat-way.ts';

/** Somebody else has the key by now. */
export class Twin extends Error {}

/** A handler that waits for others, or has something to do once its change is stored, needs more than a transaction. */
export function isInSteps({ tool: { openWorld, inSteps }, input }: Pick<Way, 'tool' | 'input'>): boolean {
  return [openWorld, inSteps].some(
    (told) => told === true || (told !== undefined && input[told.by] !== undefined),
  );
}

type Kept = Pick<NewIdempotencyKey, 'answer' | 'answer_bytes' | 'version'>;

const NOTHING: Kept = { answer: null, answer_bytes: 0, version: null };

/** Everything in one transaction: the change, its audit entry and the answer are there together, or not at all. */
export async function atOnce(way: Way, ctx: CallContext): Promise<Answer> {
  const { attempt, services } = way;
  const nested = { failure: undefined as unknown };
  try {
    return await services.store.transaction(async (tx) => {
      nested.failure = undefined;
      attempt.existed = false;
      attempt.deed = {
        db: tx,
        transaction: (work) =>
          work(tx).catch((failure: unknown) => {
            nested.failure = failure;
            throw failure;
          }),
      };
      const answer = await way.perform(ctx);
      // A handler that goes on after a write that failed has to find that write taken back.
      if (nested.failure !== undefined) throw nested.failure;
      if (!(await insertIdempotencyKey(tx, way.scope, doneRow(way, ctx, answer)))) throw new Twin();
      return answer;
    }, way.scope);
  } catch (thrown) {
    if (!isUniqueViolation(nested.failure)) throw thrown;
  } finally {
    attempt.deed = undefined;
  }
  return doInSteps(way, ctx);
}

/** The key is claimed together with the first change; the answer is stored after the last. */
export async function doInSteps(way: Way, ctx: CallContext): Promise<Answer> {
  const { attempt, services, scope, hash } = way;
  let inserted = false;
  attempt.existed = false;
  attempt.deed = {
    db: services.store.dbFor(scope),
    transaction: async (work) => {
      const result = await services.store.transaction(work, scope);
      way.claimed ||= inserted;
      return result;
    },
    wrote: async (tx, { resourceId }) => {
      if (way.claimed) return;
      if (!(await claim(tx, way, { ctx, resourceId }))) throw new Twin();
      inserted = true;
    },
  };
  try {
    const answer = await way.perform(ctx);
    const done = doneRow(way, ctx, answer);
    if (way.claimed) await settle(way, settledBy(done));
    else if (!(await insertIdempotencyKey(services.store.db, scope, done))) throw new Twin();
    return answer;
  } catch (thrown) {
    if (way.claimed) await settle(way, { hash, ...NOTHING, existed: 0 });
    throw thrown;
  } finally {
    attempt.deed = undefined;
  }
}

/** The change is made: that its answer cannot be kept is no reason not to give it. */
async function settle({ services, scope, attempt }: Way, settled: Settled): Promise<void> {
  const { requestId } = attempt.exchange.from;
  await settleIdempotencyKey(services.store.db, scope, settled).catch((err: unknown) =>
    services.log.error({ err, requestId }, 'the answer was not kept for a repeat'),
  );
}

type Id = string | number | undefined;

function claim(tx: Db, way: Way, { ctx, resourceId }: { ctx: CallContext; resourceId: Id }) {
  const named = resourceId ?? way.tool.audit.ofInput?.(way.input);
  return insertIdempotencyKey(tx, way.scope, {
    ...rowOf(way, ctx),
    process_id: way.services.processId,
    ...NOTHING,
    existed: 0,
    resource_id: textOf(named),
  });
}

function doneRow(way: Way, ctx: CallContext, { output, existed, version }: Answer): NewIdempotencyKey {
  const { audit } = way.tool;
  return {
    ...rowOf(way, ctx),
    process_id: null,
    ...keptAnswer(way, { output, version }),
    existed: toFlag(existed),
    resource_id: textOf(audit.ofResult?.(output) ?? audit.ofInput?.(way.input)),
  };
}

/** The answer, where somebody may keep it and there is room for it: without it its repeat says what was made. */
function keptAnswer({ services, room }: Way, { output, version }: Pick<Answer, 'output' | 'version'>): Kept {
  if (showsSecret(output)) return NOTHING;
  const answer = toJson({ ...output });
  const bytes = Buffer.byteLength(answer);
  if (bytes > services.limits.quotas.answerBytes || !(room && mayKeep(room, bytes))) return NOTHING;
  return { answer, answer_bytes: bytes, version: version ?? null };
}

function settledBy(done: NewIdempotencyKey): Settled {
  const { hash, answer, answer_bytes, version, existed, resource_id } = done;
  return { hash, answer, answer_bytes, version, existed, resource_id };
}

function rowOf({ hash, inputHash: input_hash, reach, caller, tool }: Way, { now }: CallContext) {
  return {
    hash,
    input_hash,
    reach,
    principal: caller.principal,
    resource_type: tool.audit.kind.type,
    created_at: now,
  };
}

function textOf(id: Id): string | null {
  return id === undefined ? null : String(id);
}
