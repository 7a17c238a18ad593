/** What can happen to an object: from which states it leads to which. */
export interface Happening<S extends string> {
  readonly meaning: string;
  /** A state that is missing here cannot be left this way. */
  readonly leads: Readonly<Partial<Record<S, S>>>;
}

/** A state machine, as a table: printed into the reference as it stands. */
export interface Machine<S extends string, E extends string> {
  /** What it is a state of, in a sentence. */
  readonly of: string;
  readonly states: readonly S[];
  readonly events: Readonly<Record<E, Happening<S>>>;
}

/** A machine with its own states and events forgotten, for whoever prints it. */
export type AnyMachine = Machine<string, string>;

/** The state after an event; undefined when it cannot happen in this state. */
export function next<S extends string, E extends string>(
  machine: Machine<S, E>,
  state: S,
  event: NoInfer<E>,
): S | undefined {
  return machine.events[event].leads[state];
}

/** The same way from each of these states. */
export function leading<S extends string>(from: readonly S[], to: S): Readonly<Partial<Record<S, S>>> {
  const leads: Partial<Record<S, S>> = {};
  for (const state of from) leads[state] = to;
  return leads;
}
