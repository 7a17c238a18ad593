/** No chain of causes that means anything is longer, and some go in a circle. */
const CAUSES_MAX = 8;

/** An error and what caused it, the cause of all last; nothing of what is no error. */
export function causesOf(thrown: unknown): Error[] {
  const causes: Error[] = [];
  for (let here = thrown; here instanceof Error && causes.length < CAUSES_MAX; here = here.cause) {
    causes.push(here);
  }
  return causes;
}

/** An error of this class among an error and its causes. */
export function causeOf<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | undefined {
  return causesOf(error).find((one): one is T => one instanceof kind);
}
