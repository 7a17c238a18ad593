/** The trace that a caller follows its request by (W3C Trace Context, traceparent). */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Two of them: whether it is recorded. */
  readonly flags: string;
}

/** Version 00, or a later one, which may say more behind it. */
const TRACEPARENT =
  /^(?:00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})|(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?)$/;
const LENGTH_MAX = 512;
const NOTHING = /^0+$/;

/** What the header says; undefined where it is none of that form, which is then as if it were not there. */
export function traceIn(header: string | readonly string[] | undefined): Trace | undefined {
  if (typeof header !== 'string' || header.length > LENGTH_MAX) return undefined;
  const [, id, span, flags, laterId, laterSpan, laterFlags] = TRACEPARENT.exec(header) ?? [];
  const found = { id: id ?? laterId ?? '', flags: flags ?? laterFlags ?? '' };
  return NOTHING.test(found.id) || NOTHING.test(span ?? laterSpan ?? '') || found.id === ''
    ? undefined
    : found;
}

/** The header of a request that is made for it; `span`: 16 hexadecimal digits that name this one. */
export function traceparent({ id, flags }: Trace, span: string): string {
  return `00-${id}-${span}-${flags}`;
}

/** By the signal of a call out: whoever makes it has that at hand, and no other of its parts is of the caller. */
const traces = new WeakMap<AbortSignal, Trace>();

export function follows(signal: AbortSignal, trace: Trace | undefined): void {
  if (trace !== undefined) traces.set(signal, trace);
}

export function traceOfSignal(signal: AbortSignal): Trace | undefined {
  return traces.get(signal);
}
