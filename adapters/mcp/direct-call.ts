import { refusalFor } from '../../tools/core/boundary.ts';
import { call } from '../../tools/core/call.ts';
import type { CalledServer, Services } from '../../tools/core/context.ts';
import type { Tool } from '../../tools/core/define.ts';
import type { Body } from '../http/envelope.ts';
import type { Visit } from '../http/visit.ts';
import { failureContent, failureText, successContent } from './result.ts';

interface Called {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Direct {
  readonly visit: Visit;
  /** What the answer begins with. */
  readonly head: string;
  readonly server: CalledServer;
  /** What a result ends with: further members, each behind a comma. */
  stamp(): string;
  /** The same for one that was given before. */
  replayed(): string;
}

/** An id that comes back as it was sent. */
export function isCallId(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** Whether nothing stands there but what is known. */
export function hasOnly(fields: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): boolean {
  for (const key in fields) if (!known.has(key)) return false;
  return true;
}

/** What an answer begins with, up to its result. */
export function headOf(id: string | number): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

/** Calls a tool and writes its result, a refusal too, as the official server would. */
export async function callDirectly(
  services: Services,
  { tool, args }: Called,
  { visit, head, server, ...stamps }: Direct,
): Promise<Body> {
  try {
    const { output, replayed } = await call(services, tool, { from: visit, server, read: () => args });
    const content = JSON.stringify(successContent(tool, output));
    const stamp = replayed ? stamps.replayed() : stamps.stamp();
    const body = `${head}{${members(content, content)}${stamp}}}`;
    return isAscii(content) && isAscii(head) && isAscii(stamp) ? { ascii: body } : body;
  } catch (thrown) {
    const error = refusalFor(thrown, services.log, { requestId: visit.requestId, doing: 'mcp call' });
    const content = JSON.stringify(failureContent(error));
    return `${head}{"isError":true,${members(failureText(error), content)}${stamps.stamp()}}}`;
  }
}

function members(text: string, content: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${content}`;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
