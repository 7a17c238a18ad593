import type { Attempt } from './call-context.ts';
import type { Tool } from './define.ts';
import { reasonIn } from './reasons.ts';
import { versionIn } from './versions.ts';

/**
 * The input of a change without what every change may be given: the reason for it, which is the audit log's, and over
 * MCP the version of its object that it is made on.
 */
export function inputAlone(attempt: Attempt, tool: Tool, raw: unknown): unknown {
  if (tool.effect === 'read') return raw;
  const why = reasonIn(tool, raw);
  if (why !== undefined) attempt.reason = why.reason;
  const rest = why === undefined ? raw : why.raw;
  const version = versionIn(tool, attempt.exchange, rest);
  if (version === undefined) return rest;
  attempt.expected = version.expected;
  return version.raw;
}
