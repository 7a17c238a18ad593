import {
  acceptedContent,
  type ContentBlock,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Extension } from '../../../adapters/mcp/server-parts.ts';
import { contentTools, type Fixture, image, PIXEL, text } from './conformance-content.ts';
import { askFor, roundTools } from './conformance-rounds.ts';
import { talkTools } from './conformance-talk.ts';

const tools: Readonly<Record<string, Fixture>> = { ...contentTools, ...talkTools, ...roundTools };

/**
 * What the conformance suite wants to find on a server before it can look at the protocol: tools, resources
 * and prompts that a marketplace has no use for. A test build serves them beside its own.
 */
export const conformanceFixtures: Extension = {
  tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({
    name,
    description,
    inputSchema: inputSchema ?? { type: 'object' },
  })),
  capabilities: { logging: {}, completions: {}, resources: { subscribe: true } },
  call: async (name, args, ctx) => tools[name]?.run(args, ctx),
  configure: (server) => {
    addResources(server);
    addPrompts(server);
  },
};

const resources = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text.',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image.',
    mimeType: 'image/png',
    blob: PIXEL,
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text to subscribe to.',
    mimeType: 'text/plain',
    text: 'Nothing new.',
  },
];

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

function addResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({
    resources: resources.map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      description,
      mimeType,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        description: 'A text by its id.',
        mimeType: 'application/json',
      },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [contentOf(uri)] }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function contentOf(uri: string) {
  const id = TEMPLATE.exec(uri)?.[1];
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { uri, mimeType: 'application/json', text: data };
  }
  const found = resources.find((resource) => resource.uri === uri);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  const { mimeType } = found;
  return found.blob === undefined ? { uri, mimeType, text: found.text } : { uri, mimeType, blob: found.blob };
}

type PromptArguments = Readonly<Record<string, string>>;

interface PromptFixture {
  readonly description: string;
  readonly arguments?: readonly string[];
  messages(given: PromptArguments, ctx: ServerContext): readonly ContentBlock[] | undefined;
}

const prompts: Readonly<Record<string, PromptFixture>> = {
  test_simple_prompt: {
    description: 'Says the same each time.',
    messages: () => [text('This is a simple prompt for testing.')],
  },
  test_prompt_with_arguments: {
    description: 'Says what it was given.',
    arguments: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    description: 'Shows a resource.',
    arguments: ['resourceUri'],
    messages: ({ resourceUri: uri = '' }) => [
      {
        type: 'resource',
        resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: {
    description: 'Shows an image.',
    messages: () => [image, text('Please analyze the image above.')],
  },
  test_input_required_result_prompt: {
    description: 'Asks for its context first.',
    messages: (_given, { mcpReq }) => {
      const context = acceptedContent(mcpReq.inputResponses, 'user_context')?.['context'];
      return context === undefined ? undefined : [text(`Context: ${context}`)];
    },
  },
};

function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, { description, arguments: names = [] }]) => ({
      name,
      description,
      arguments: names.map((argument) => ({ name: argument, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    const prompt = prompts[params.name];
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`);
    }
    const messages = prompt.messages(params.arguments ?? {}, ctx);
    if (messages === undefined) {
      const user_context = askFor('What context should the prompt use?', 'context');
      return inputRequired({ inputRequests: { user_context } });
    }
    return { messages: messages.map((content) => ({ role: 'user' as const, content })) };
  });
  server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party'].filter((value) => value.startsWith(params.argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
}
