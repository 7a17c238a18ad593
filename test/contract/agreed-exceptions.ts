/** Where something is otherwise than it was agreed: in these places, so, for this reason. */
export type Exceptions = readonly (readonly [place: RegExp, said: RegExp, reason: string])[];

/** A place, and what is otherwise there, in words. */
export type Difference = readonly [place: string, said: string];

/** The differences of which no exception tells the reason. */
export function unexplained(differences: readonly Difference[], exceptions: Exceptions): Difference[] {
  return differences.filter((one) => !exceptions.some((exception) => isOf(one, exception)));
}

/** The exceptions of which nothing is left. */
export function idleAmong(exceptions: Exceptions, differences: readonly Difference[]): Exceptions {
  return exceptions.filter((exception) => !differences.some((one) => isOf(one, exception)));
}

function isOf([place, said]: Difference, [where, which]: Exceptions[number]): boolean {
  return where.test(place) && which.test(said);
}
