import { forgetGrants, forgetRevokedTokens } from '../../store/unscoped/oauth.ts';
import { forgetArtifacts } from '../../store/unscoped/oauth-artifacts.ts';
import { forgetIdleClients } from '../../store/unscoped/oauth-clients.ts';
import { dropSigningKeys } from '../../store/unscoped/signing-keys.ts';
import type { Services } from '../../tools/core/context.ts';
import { DAY_MS, fromNow, HOUR_MS } from '../../tools/core/moments.ts';

/** A client that nobody let in by then was only tried. */
const UNUSED_MS = DAY_MS;
const IDLE_MS = 90 * DAY_MS;
/** Codes and refresh tokens that are over are known a while longer, so that one that comes twice is noticed. */
const KNOWN_MS = HOUR_MS;
/** Rows of one statement, and statements of one round: what is left waits for the next one. */
const AT_ONCE = 500;
const STEPS = 20;

/** Forgets what nobody can use any more: tokens, grants, programs that were only tried, and keys. */
export async function forgetOauth({ store, ports }: Services, keysKeptMs: number): Promise<void> {
  const { db } = store;
  const ago = (milliseconds: number) => fromNow(ports.clock, -milliseconds);
  await inSteps(() => forgetArtifacts(db, { before: ago(KNOWN_MS), limit: AT_ONCE }));
  await inSteps(() => forgetRevokedTokens(db, { before: ago(0), limit: AT_ONCE }));
  await inSteps(() => forgetGrants(db, { before: ago(0), limit: AT_ONCE }));
  await inSteps(() => forgetIdleClients(db, { unused: ago(UNUSED_MS), idle: ago(IDLE_MS), limit: AT_ONCE }));
  await dropSigningKeys(db, ago(keysKeptMs));
}

async function inSteps(step: () => Promise<number>): Promise<void> {
  for (let done = 0; done < STEPS; done += 1) if ((await step()) < AT_ONCE) return;
}
