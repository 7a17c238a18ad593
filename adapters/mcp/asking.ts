import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Ask, type Consent, covers, type Question, Unanswered } from '../../tools/core/consent.ts';
import type { Digest } from '../../tools/core/ports.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';

/** Under this name the answer comes with the next request of the stateless era. */
const KEY = 'consent';
/** Whoever waits has a limit of its own; the official server's is only there to be later than that. */
const LATER_MS = 10_000;

const requestedSchema = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Yes, go on', default: false } },
  required: ['confirm'],
};

interface Asker {
  readonly server: Server;
  readonly digest: Digest;
  /** How long an answer is waited for within a session. */
  readonly timeoutMs: number;
  /** False for a caller that takes no events: a question would not reach it. */
  readonly takesEvents: boolean;
}

/** The way to the person behind a client, in the words of its era; undefined where there is none. */
export function askFor(ctx: ServerContext, asker: Asker): Ask | undefined {
  const { envelope } = ctx.mcpReq;
  if (envelope !== undefined && CLIENT_CAPABILITIES_META_KEY in envelope) {
    return asksInForms(envelope[CLIENT_CAPABILITIES_META_KEY]) ? askStateless(ctx, asker) : undefined;
  }
  return asker.takesEvents && asksInForms(asker.server.getClientCapabilities())
    ? askInSession(ctx, asker)
    : undefined;
}

/** A client that says nothing of how it asks has forms; one may have nothing but addresses to open. */
function asksInForms(capabilities: unknown): boolean {
  const elicitation = isFields(capabilities) ? capabilities['elicitation'] : undefined;
  return isFields(elicitation) && ('form' in elicitation || !('url' in elicitation));
}

/**
 * The call ends with the question, and comes again with the answer. What was asked comes back as its sum and its
 * digest: an answer to another question is none, and the client is asked anew.
 */
function askStateless({ mcpReq }: ServerContext, { digest }: Asker): Ask {
  return async (question) => {
    const response = inputResponse(mcpReq.inputResponses, KEY);
    const answered = questionBehind(mcpReq.requestState(), question, digest);
    if (response.kind !== 'elicit' || answered === undefined || !covers(answered, question))
      throw new Unanswered(question);
    return consentOf(response);
  };
}

function stateOf({ about, atMost }: Question, digest: Digest): string {
  return `${atMost}.${digest(`${atMost} ${about}`)}`;
}

/** The question that comes back; undefined where it was about something else. */
function questionBehind(state: unknown, question: Question, digest: Digest): Question | undefined {
  if (typeof state !== 'string') return undefined;
  const asked = { ...question, atMost: Number.parseInt(state, 10) };
  return stateOf(asked, digest) === state ? asked : undefined;
}

/** What the client is told to ask before it calls again. */
export function questionFor({ question }: Unanswered, digest: Digest): InputRequiredResult {
  return inputRequired({
    inputRequests: { [KEY]: inputRequired.elicit({ message: question.text, requestedSchema }) },
    requestState: stateOf(question, digest),
  });
}

/** The client is asked while the call waits; who goes away, or ends the session, has not answered. */
function askInSession({ mcpReq }: ServerContext, { timeoutMs }: Asker): Ask {
  return async ({ text: message }, signal) => {
    if (signal.aborted) return 'none';
    try {
      const options = { signal, timeout: timeoutMs + LATER_MS };
      return consentOf(await mcpReq.elicitInput({ message, requestedSchema }, options));
    } catch {
      return 'none';
    }
  };
}

function consentOf({
  action,
  content,
}: {
  action: string;
  content?: Record<string, unknown> | undefined;
}): Consent {
  if (action === 'accept') return content?.['confirm'] === true ? 'yes' : 'no';
  return action === 'decline' ? 'no' : 'none';
}
