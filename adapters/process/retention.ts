import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../../store/engine/db.ts';
import { forgetAgentSecrets, forgetAgents, forgetOutgrown } from '../../store/unscoped/agents.ts';
import {
  forgetInvitations,
  forgetJoinLinks,
  forgetJoinRequests,
  forgetPreviewRequests,
  forgetServiceTokens,
} from '../../store/unscoped/ended-access.ts';
import { forgetEvents } from '../../store/unscoped/event-retention.ts';
import { forgetIdempotencyKeys } from '../../store/unscoped/idempotency-keys.ts';
import { forgetCodeTries } from '../../store/unscoped/proposal-codes.ts';
import { forgetProposals } from '../../store/unscoped/proposal-retention.ts';
import { forgetRefusedSignIns } from '../../store/unscoped/refused-sign-ins.ts';
import {
  bringBackAttached,
  forgetAuditLogs,
  forgetSignIns,
  purgeRemoved,
  removeSessions,
} from '../../store/unscoped/retention.ts';
import { forgetSpendApprovals } from '../../store/unscoped/spend-approval-retention.ts';
import type { Services } from '../../tools/core/context.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, momentOf } from '../../tools/core/moments.ts';
import type { Config } from '../settings/config.ts';

/** Steps of one round of housekeeping; what is left waits for the next. */
const STEPS = 100;
/** Idempotency keys of a step. */
const KEYS = 500;
/** Calls that found a session before it was out of sight have long ended by then. */
const OUT_OF_SIGHT_MS = MINUTE_MS;
/** How long it can be looked up where somebody was signed in, once it is over. */
const SIGN_INS_DAYS = 30;

export interface Retention {
  readonly discoveryDays: number;
  readonly auditDays: number;
  /** Of spends that another person decided on, or nobody in time. */
  readonly approvalDays: number;
  /** Of what sellers offered by codes, after these ended. */
  readonly proposalDays: number;
  /** Of events, and of what became of their deliveries. */
  readonly eventDays: number;
  /** Of invitations, service tokens and approved requests to join, after their end. */
  readonly endedAccessDays: number;
  /** Of requests for a preview. */
  readonly previewDays: number;
}

export function retentionOf(config: Config): Retention {
  return {
    discoveryDays: config.discoveryRetentionDays,
    auditDays: config.auditRetentionDays,
    approvalDays: config.approvalRetentionDays,
    proposalDays: config.proposalRetentionDays,
    eventDays: config.eventRetentionDays,
    endedAccessDays: config.endedAccessRetentionDays,
    previewDays: config.previewRetentionDays,
  };
}

/** Forgets what has been kept for long enough, in steps between which others have their turn. */
export async function forgetOld(services: Services, kept: Retention): Promise<void> {
  const { store, ports } = services;
  const { db } = store;
  const now = ports.clock.now();
  await bringBackAttached(db);
  await inSteps(async () => {
    const before = momentOf(now - kept.discoveryDays * DAY_MS);
    return (await removeSessions(db, { before, now: momentOf(now) })) > 0;
  });
  await inSteps(() => purgeRemoved(db, momentOf(now - OUT_OF_SIGHT_MS)));
  await inSteps(() => forgetSignIns(db, momentOf(now - SIGN_INS_DAYS * DAY_MS)));
  const logged = { before: momentOf(now - kept.auditDays * DAY_MS), now: momentOf(now) };
  await inSteps(async () => (await forgetAuditLogs(db, logged)) > 0);
  const decided = { before: momentOf(now - kept.approvalDays * DAY_MS), now: momentOf(now) };
  await inSteps(() => forgetSpendApprovals(db, decided));
  const offered = momentOf(now - kept.proposalDays * DAY_MS);
  await inSteps(() => forgetProposals(db, offered));
  await inSteps(() => forgetRefusedSignIns(db, momentOf(now - SIGN_INS_DAYS * DAY_MS)));
  await inSteps(() => forgetCodeTries(db, momentOf(now - HOUR_MS)));
  const told = momentOf(now - kept.eventDays * DAY_MS);
  await inSteps(() => forgetEvents(db, told));
  await forgetWaysIn(db, {
    ended: momentOf(now - kept.endedAccessDays * DAY_MS),
    asked: momentOf(now - kept.previewDays * DAY_MS),
  });
  const used = momentOf(now - services.limits.keysKeptMs);
  await inSteps(async () => (await forgetIdempotencyKeys(db, { before: used, limit: KEYS })) >= KEYS);
  await forgetOldAgents(services);
}

async function forgetWaysIn(
  db: Db,
  before: { readonly ended: string; readonly asked: string },
): Promise<void> {
  for (const forget of [forgetInvitations, forgetServiceTokens, forgetJoinLinks, forgetJoinRequests]) {
    await inSteps(() => forget(db, before.ended));
  }
  await inSteps(() => forgetPreviewRequests(db, before.asked));
}

/** Agents that ended are known for another day, so that they are told why nothing works any more. */
async function forgetOldAgents({ store, ports }: Services): Promise<void> {
  const now = ports.clock.now();
  const yesterday = momentOf(now - DAY_MS);
  const outgrown = momentOf(now - OUT_OF_SIGHT_MS);
  const forget = (step: (tx: Db) => Promise<number>) =>
    inSteps(async () => (await store.transaction(step)) > 0);
  await forget((tx) => forgetAgentSecrets(tx, yesterday));
  await forget((tx) => forgetOutgrown(tx, outgrown));
  await forget((tx) => forgetAgents(tx, yesterday));
}

/** Repeats a step while it says that there is more, so many times at the most; others have their turn between. */
export async function inSteps(step: () => Promise<boolean>): Promise<void> {
  for (let done = 0; done < STEPS && (await step()); done += 1) await nextTurn();
}
