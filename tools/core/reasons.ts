import { z } from 'zod';
import type { Tool } from './define.ts';
import { invalid } from './errors/refusals.ts';
import { asFields, isFields } from './schemas/checks.ts';
import { ENOUGH, nothingHidden } from './schemas/hidden-characters.ts';
import { respell } from './schemas/spellings.ts';

/** The field of every change that says why, unless the capability has one of that name. */
export const REASON_FIELD = 'reason';
export const REASON_MAX = 1_000;

/** Why something is done, whatever the field is called: it may have several lines. */
export const reasonText = z
  .string()
  .trim()
  .min(1)
  .max(REASON_MAX, ENOUGH)
  .check(nothingHidden({ lines: true }));

/** What is said of a reason that is none. */
export const reasonWords = `Give 1 to ${REASON_MAX} characters, none of them hidden.`;

/** What was given as the reason of a change, and the input without it; undefined where nothing was. */
export function reasonIn(
  tool: Pick<Tool, 'input'>,
  raw: unknown,
): { reason: string; raw: unknown } | undefined {
  if (!isFields(raw) || raw[REASON_FIELD] === undefined || hasReason(tool)) return undefined;
  const { [REASON_FIELD]: given, ...others } = raw;
  const { success, data } = reasonText.safeParse(given);
  if (!success) throw invalid(REASON_FIELD, reasonWords);
  return { reason: data, raw: others };
}

/** The reason in an input that was not taken, whosever field it is; what cannot be one is not kept. */
export function reasonNamedIn({ spellings = {} }: Pick<Tool, 'spellings'>, raw: unknown): string | undefined {
  return reasonText.safeParse(asFields(respell(raw, spellings).input)[REASON_FIELD]).data;
}

/** Whether a capability has a reason of its own. */
export function hasReason({ input }: Pick<Tool, 'input'>): boolean {
  return REASON_FIELD in input.shape;
}
