import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  inputResponse,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Fixture, text } from './conformance-content.ts';

const codec = createRequestStateCodec({ key: 'a key for tests that is 32 bytes long' });

/** The state that a caller brought back, if it is one that was given out. */
async function stateOf(ctx: ServerContext): Promise<unknown> {
  const state = ctx.mcpReq.requestState<string>();
  if (state === undefined) return undefined;
  const believed = await codec.verify(state, ctx).then(
    (value) => ({ value }),
    () => undefined,
  );
  if (believed === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state is not ours.');
  }
  return believed.value;
}

export const askFor = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });

const confirm = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});

const sample = (words: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens,
  });

const answered = (words: string) => ({ content: [text(words)] });

/** A tool that asks until every answer is there. */
function asksFor(
  requests: Readonly<Record<string, InputRequest>>,
  answer: (responses: Readonly<Record<string, unknown>>) => string,
): Fixture {
  return {
    description: `Asks for ${Object.keys(requests).join(', ')}.`,
    run: (_args, { mcpReq }) => {
      const responses = mcpReq.inputResponses ?? {};
      const missing = Object.keys(requests).filter((key) => inputResponse(responses, key).kind === 'missing');
      if (missing.length > 0) return inputRequired({ inputRequests: requests });
      return answered(answer(responses));
    },
  };
}

/** A tool that asks once, and believes only the state it gave out. */
function asksOnce(requests: Readonly<Record<string, InputRequest>>): Fixture {
  return {
    description: 'Asks once and checks what comes back.',
    run: async (_args, ctx) => {
      const state = await stateOf(ctx);
      if (state !== undefined) return answered('state-ok');
      return inputRequired({ inputRequests: requests, requestState: await codec.mint('asked') });
    },
  };
}

const multiRound: Fixture = {
  description: 'Asks twice, one after the other.',
  run: async (_args, ctx) => {
    const step = Number((await stateOf(ctx)) ?? 0) + 1;
    if (step === 3) return answered('Both steps are done.');
    const question =
      step === 1
        ? askFor('Step 1: What is your name?', 'name')
        : askFor('Step 2: What is your favorite color?', 'color');
    return inputRequired({
      inputRequests: { [`step${step}`]: question },
      requestState: await codec.mint(step),
    });
  },
};

const byCapability: Fixture = {
  description: 'Asks only for what the caller can give.',
  run: (_args, { mcpReq }) => {
    const named: unknown = Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY);
    const declared = isSpecType.ClientCapabilities(named) ? named : {};
    const inputRequests = {
      ...(declared.sampling === undefined ? {} : { word: sample('Say a word', 10) }),
      ...(declared.elicitation === undefined ? {} : { name: askFor('What is your name?', 'name') }),
    };
    return inputRequired({ inputRequests });
  },
};

const nameOf = (responses: Readonly<Record<string, unknown>>) =>
  String(acceptedContent(responses, 'user_name')?.['name'] ?? 'stranger');

/** Tools of several rounds: the caller is asked, and calls again with the answers. */
export const roundTools: Readonly<Record<string, Fixture>> = {
  test_input_required_result_elicitation: asksFor(
    { user_name: askFor('What is your name?', 'name') },
    (responses) => `Hello, ${nameOf(responses)}!`,
  ),
  test_input_required_result_sampling: asksFor(
    { capital_question: sample('What is the capital of France?', 100) },
    ({ capital_question }) => JSON.stringify(capital_question),
  ),
  test_input_required_result_list_roots: asksFor(
    { client_roots: inputRequired.listRoots() },
    ({ client_roots }) => JSON.stringify(client_roots),
  ),
  test_input_required_result_request_state: asksOnce({ confirm }),
  test_input_required_result_tampered_state: asksOnce({ confirm }),
  test_input_required_result_multiple_inputs: asksOnce({
    user_name: askFor('What is your name?', 'name'),
    greeting: sample('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  }),
  test_input_required_result_multi_round: multiRound,
  test_input_required_result_capabilities: byCapability,
};
