import {
  type ElicitRequestFormParams,
  type InputRequest,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { type Fixture, text } from './conformance-content.ts';

type Form = ElicitRequestFormParams['requestedSchema'];

/** A tool that says something three times before it answers. */
function telling(description: string, tell: (ctx: Parameters<Fixture['run']>[1]) => Promise<void>): Fixture {
  return {
    description,
    run: async (_args, ctx) => {
      await tell(ctx);
      return { content: [text('done')] };
    },
  };
}

/** A tool that asks its caller one thing and tells what it was answered. */
function asking(
  description: string,
  ask: (args: Readonly<Record<string, unknown>>) => InputRequest,
  inputSchema?: Fixture['inputSchema'],
): Fixture {
  return {
    description,
    ...(inputSchema === undefined ? {} : { inputSchema }),
    run: (args, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'answer');
      if (answer.kind === 'missing') return inputRequired({ inputRequests: { answer: ask(args) } });
      return { content: [text(wordsOf(answer))] };
    },
  };
}

function wordsOf(answer: ReturnType<typeof inputResponse>): string {
  if (answer.kind === 'elicit') {
    return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
  }
  if (answer.kind === 'sampling') return `LLM response: ${JSON.stringify(answer.result.content)}`;
  return JSON.stringify(answer);
}

const form = (properties: Form['properties'], required: string[] = []): Form => ({
  type: 'object',
  properties,
  required,
});

const one = (name: string) =>
  ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] }) as const;

const defaults = form({
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
});

const titled = (key: string, noun: string) =>
  ['First', 'Second', 'Third'].map((rank, index) => ({
    const: `${key}${index + 1}`,
    title: `${rank} ${noun}`,
  }));

const options = ['option1', 'option2', 'option3'];

const choices = form({
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled('value', 'Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled('value', 'Choice') } },
});

const sample = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens: 100,
  });

/** Tools that talk to their caller before they answer. */
export const talkTools: Readonly<Record<string, Fixture>> = {
  test_tool_with_logging: telling('Logs three lines.', async ({ mcpReq }) => {
    await mcpReq.log('info', 'Tool execution started');
    await mcpReq.log('info', 'Tool processing data');
    await mcpReq.log('info', 'Tool execution completed');
  }),
  test_logging_tool: telling('Logs a line to whoever wants it.', ({ mcpReq }) =>
    mcpReq.log('info', 'A line'),
  ),
  test_tool_with_progress: telling('Reports its progress.', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    }
  }),
  test_sampling: asking('Asks the caller’s model.', ({ prompt }) => sample(String(prompt)), one('prompt')),
  test_elicitation: asking(
    'Asks the caller’s user.',
    ({ message }) =>
      inputRequired.elicit({
        message: String(message),
        requestedSchema: form(
          {
            username: { type: 'string', description: 'User’s response' },
            email: { type: 'string', description: 'User’s email address' },
          },
          ['username', 'email'],
        ),
      }),
    one('message'),
  ),
  test_elicitation_sep1034_defaults: asking('Asks with defaults.', () =>
    inputRequired.elicit({ message: 'Check the defaults', requestedSchema: defaults }),
  ),
  test_elicitation_sep1330_enums: asking('Asks for choices.', () =>
    inputRequired.elicit({ message: 'Choose', requestedSchema: choices }),
  ),
  test_missing_capability: asking('Needs a caller with a model.', () => sample('Anybody there?')),
  test_streaming_elicitation: asking('Asks for a confirmation.', () =>
    inputRequired.elicit({ message: 'Go on?', requestedSchema: form({ ok: { type: 'boolean' } }) }),
  ),
};
