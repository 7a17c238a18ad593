/** What of a secret decides whether it may go. */
interface Secret {
  readonly id: string;
  /** When a token that it got was first used. */
  readonly proven_at: string | null;
}

/**
 * Why a secret should stay, undefined where it may go. `live`: all that are live, the newest first. `last`: with
 * it the application could get no token any more. `unproven`: a newer one was made, and whatever runs has shown
 * with no token yet that it uses it.
 */
export function reasonToKeep(live: readonly Secret[], id: string): 'last' | 'unproven' | undefined {
  if (live.length <= 1) return 'last';
  const newer = live.slice(
    0,
    live.findIndex((secret) => secret.id === id),
  );
  // Without a newer one it is the newest itself: the rotation is called off.
  if (newer.length === 0) return undefined;
  return newer.some(({ proven_at }) => proven_at !== null) ? undefined : 'unproven';
}
