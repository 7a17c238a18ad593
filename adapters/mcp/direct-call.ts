import { refusalFor } from '../../tools/core/boundary.ts';
import { call } from '../../tools/core/call.ts';
import type { CalledServer, Services } from '../../tools/core/context.ts';
import type { Tool } from '../../tools/core/define.ts';
import type { Body } from '../http/envelope.ts';
import type { Visit } from '../http/visit.ts';
import { failureContent, failureText, successContent } from './result.ts';

interface Called {
  readonly id: string | number;
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Direct {
  readonly visit: Visit;
  readonly server: CalledServer;
  readonly stamp: () => Stamp;
  /** The same for a result that was given before. */
  readonly replayed: () => Stamp;
}

/** What a result ends with: further members, each behind a comma. */
export interface Stamp {
  readonly text: string;
  readonly isAscii: boolean;
}

export function stampOf(text: string): Stamp {
  return { text, isAscii: isAscii(text) };
}

/** An id that comes back as it was sent. */
export function isCallId(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** What a request of JSON-RPC has. */
export const REQUEST_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/** Whether nothing stands there but what is known. */
export function hasOnly(fields: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): boolean {
  for (const key in fields) if (!known.has(key)) return false;
  return true;
}

/** What an answer begins with, up to its result. */
export function headOf(id: string | number): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`;
}

/** Calls a tool and writes its result, a refusal too, as the official server would. */
export async function callDirectly(
  services: Services,
  { id, tool, args }: Called,
  { visit, server, stamp, replayed }: Direct,
): Promise<Body> {
  try {
    const answer = await call(services, tool, {
      from: visit,
      server,
      read: () => args,
      beforehand: () => args,
    });
    const content = JSON.stringify(successContent(tool, answer.output));
    const end = answer.replayed ? replayed() : stamp();
    const body = `${headOf(id)}{${members(content, content)}${end.text}}}`;
    return isAscii(content) && end.isAscii && isAsciiId(id) ? { ascii: body } : body;
  } catch (thrown) {
    const error = refusalFor(thrown, services.log, { requestId: visit.requestId, doing: 'mcp call' });
    const content = JSON.stringify(failureContent(error));
    return `${headOf(id)}{"isError":true,${members(failureText(error), content)}${stamp().text}}}`;
  }
}

function members(text: string, content: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${content}`;
}

function isAsciiId(id: string | number): boolean {
  return typeof id === 'number' || isAscii(id);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
