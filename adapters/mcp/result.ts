import type { Tool } from '../../tools/core/define.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { withTextIds } from '../../tools/core/schemas/text-ids.ts';

/** The members of a call's `structuredContent`. */
export function successContent(tool: Tool, output: Readonly<Record<string, unknown>>) {
  return withTextIds(tool, output);
}

/** The sign, in the `_meta` of a result, that a call was made before under its key, and nothing was done now. */
export const REPLAYED = { idempotencyReplayed: true } as const;

/** The members of a failed call's `structuredContent` (interface, MCP errors). */
export function failureContent(error: AppError): Record<string, unknown> {
  return {
    code: error.code,
    message: error.message,
    ...(error.field === undefined ? {} : { field: error.field }),
    ...(error.suggestion === undefined ? {} : { suggestion: error.suggestion }),
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }),
    recovery: error.recovery,
  };
}

/** One readable line, for hosts that show text only. */
export function failureText(error: AppError): string {
  return [`${error.code}: ${error.message}`, error.suggestion ?? ''].join(' ').trim();
}
