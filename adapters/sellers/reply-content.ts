import { isFields } from '../../tools/core/schemas/checks.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { boundedText } from '../../tools/domain/text.ts';
import { saidIn } from './answer-forms.ts';
import type { ToolReply } from './mcp-client.ts';
import { levelled } from './nesting.ts';
import { withRefusal } from './refusal-forms.ts';

const MESSAGE_MAX = 500;

interface Circumstances {
  readonly tool: string;
  /** True for what the seller may have carried out although its words do not say so. */
  readonly mutates?: boolean;
  /** True when it may have carried out the same call already. */
  readonly lost: boolean;
}

/**
 * The payload of an answer: structured, or JSON in its text. Other words say nothing of what was done, also
 * when they are marked as an error: only AdCP has a way to refuse, and a server that reads no further than the
 * arguments.
 */
export function contentOf(reply: ToolReply, { tool, mutates = false, lost }: Circumstances): unknown {
  const { text } = reply;
  const said = saidIn(reply, tool) ?? (reply.isError ? refusalInWords(text) : undefined);
  if (said !== undefined) return levelled(reply.isError || isUndone(said) ? withRefusal(said) : said);
  const unresolved = isOfArguments(reply) ? lost : mutates;
  if (reply.isError) {
    throw new SellerError('error', boundedText(text, MESSAGE_MAX), { unresolved, answered: true });
  }
  throw new SellerError('invalid_response', 'The answer is neither structured nor JSON.', { unresolved });
}

function isUndone(said: unknown): boolean {
  return isFields(said) && said['success'] === false;
}

const OF_ARGUMENTS =
  /^(\d+ validation errors? for call\[|(MCP error -32602: )?(Input validation error|Invalid arguments)\b)/;

/** Whether a call was refused for its arguments, in the words of the servers that look at them first. */
export function isOfArguments({ isError, text }: Pick<ToolReply, 'isError' | 'text'>): boolean {
  return isError && OF_ARGUMENTS.test(text);
}

/** Characters of a printed error; what is longer is no error of AdCP. */
const PRINTED_MAX = 10_000;

/** An error of AdCP as a tuple of Python prints it: its code, its words, and how to go on. */
const PRINTED = /^\('([A-Z][A-Z_]+)', (?:'(.*?)'|"(.*?)")(?:, '([a-z]+)')?,?\)$/s;

function refusalInWords(text: string): object | undefined {
  if (text.length > PRINTED_MAX) return undefined;
  const [printed, code, single, double, recovery] = PRINTED.exec(text.trim()) ?? [];
  if (printed === undefined) return undefined;
  return { errors: [{ code, message: single ?? double, recovery }] };
}
