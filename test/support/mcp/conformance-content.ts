import type { ServerContext } from '@modelcontextprotocol/server';

/** A tool of the test build: what it is for, what it takes, what it does. */
export interface Fixture {
  readonly description: string;
  readonly inputSchema?: { readonly type: 'object'; readonly [keyword: string]: unknown };
  run(args: Readonly<Record<string, unknown>>, ctx: ServerContext): unknown;
}

/** One red pixel as PNG, and a WAV without a sample. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

export const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;

export function text(words: string) {
  return { type: 'text', text: words } as const;
}

/** A tool that answers the same each time. */
function always(description: string, ...content: readonly object[]): Fixture {
  return { description, run: () => ({ content }) };
}

/** The schema that the scenario on JSON Schema 2020-12 wants to find unchanged in the list. */
const keywords = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** Tools for every kind of content, and for what a schema may hold. */
export const contentTools: Readonly<Record<string, Fixture>> = {
  test_simple_text: always('Answers with text.', text('This is a simple text response for testing.')),
  test_image_content: always('Answers with an image.', image),
  test_audio_content: always('Answers with a sound.', {
    type: 'audio',
    data: SILENCE,
    mimeType: 'audio/wav',
  }),
  test_embedded_resource: always('Answers with a resource.', {
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  }),
  test_multiple_content_types: always(
    'Answers with text, an image and a resource.',
    text('Multiple content types test:'),
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ),
  test_error_handling: {
    description: 'Fails.',
    run: () => ({
      isError: true,
      content: [text('This tool intentionally returns an error for testing')],
    }),
  },
  json_schema_2020_12_tool: {
    description: 'Takes what JSON Schema 2020-12 can say.',
    inputSchema: keywords,
    run: () => ({ content: [text('done')] }),
  },
};
