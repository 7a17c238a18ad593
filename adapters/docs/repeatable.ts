import { isRestTool, type RestTool, type Tool } from '../../tools/core/define.ts';
import { MATCH_HEADER, NONE_MATCH_HEADER } from '../../tools/core/entity-tags.ts';
import type { ErrorCode } from '../../tools/core/errors/catalogue.ts';
import { hasReason, REASON_FIELD, REASON_MAX } from '../../tools/core/reasons.ts';
import { KEY_HEADER, KEY_MAX } from '../../tools/core/repeat-keys.ts';
import type { JsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { isTagged, readerOf, wholeReaderOf } from '../../tools/core/stale-writes.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { isConditional } from '../../tools/core/versions.ts';
import { asSchemas, type Json } from './openapi-schemas.ts';

/** How OpenAPI tells of what every change takes: a key under which it may be repeated, and a reason. */
const keyParameter = {
  name: KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'A key of your own for this change, such as a new UUID. The same key and input again within 24 h is answered ' +
    'as before, with Idempotency-Replayed, and nothing is done anew; another input under it, another reason too, is ' +
    '409. If-Match is no part of the input: the answer to a repeat is the first one, whatever it names.',
  schema: { type: 'string', minLength: 1, maxLength: KEY_MAX },
};

/** Of what changes one object that has a version, or that one answer shows whole. */
const matchParameter = {
  name: MATCH_HEADER,
  in: 'header',
  required: false,
  description:
    'The ETag of the answer that this change is made on, several between commas, or * for whatever there is. Where ' +
    'another version holds by now it is 409, with the object as it is in details.current and its tag in details.etag.',
  schema: { type: 'string' },
};

/** Of what reads one object. */
const readParameters = [
  {
    name: NONE_MATCH_HEADER,
    in: 'header',
    required: false,
    description:
      'The ETag of the answer that you have, several between commas, or *. Where it is still so: 304.',
    schema: { type: 'string' },
  },
  {
    name: MATCH_HEADER,
    in: 'header',
    required: false,
    description:
      'The ETag of the only answer that is wanted, several between commas, or *. Another one is 409.',
    schema: { type: 'string' },
  },
];

/** What a call takes in headers. */
export function headerParameters(tool: RestTool, tools: readonly Tool[]): Json[] {
  if (tool.effect === 'read') return isTagged(tool) ? readParameters : [];
  const isMatched = isConditional(tool) || wholeReaderOf(tool, tools) !== undefined;
  return isMatched ? [keyParameter, matchParameter] : [keyParameter];
}

/** Of a stream: where its reader was. */
export function positionParameter({ resumesAfter }: Stream): Json {
  return {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: `The id of the last event that you have. Means the same as ${resumesAfter}, and wins where both are given.`,
    schema: { type: 'string' },
  };
}

function tagHeader(description: string): Json {
  return { ETag: { description, schema: { type: 'string' } } };
}

const versionHeader = tagHeader(
  'Of the object as it is answered, for If-Match of a change and If-None-Match.',
);
const answerHeader = tagHeader('Of the object as it is answered, for If-None-Match.');

const replayedHeader = {
  'Idempotency-Replayed': {
    description: 'true: this is the answer to an earlier call under the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
};

/** The headers that the success of a capability may come with. */
export function headersOf(tool: RestTool, tools: readonly Tool[]): Json {
  const isShown = (other: Tool) => (readerOf(other, tools) ?? wholeReaderOf(other, tools)) === tool;
  const isVersioned = tool.effect !== 'read' || tools.some(isShown);
  return {
    ...(tool.effect === 'read' ? {} : replayedHeader),
    ...(isTagged(tool) ? (isVersioned ? versionHeader : answerHeader) : {}),
  };
}

/** How a read of one object is answered besides. */
export function conditionalResponses(tool: RestTool, headers: Json): Json {
  if (tool.effect !== 'read' || !isTagged(tool)) return {};
  return { 304: { description: 'The answer is the one that If-None-Match names.', headers } };
}

/** What such a read may be refused with besides. */
export function conditionalErrors(tool: Tool | Stream): ErrorCode[] {
  return 'effect' in tool && isRestTool(tool) && tool.effect === 'read' && isTagged(tool) ? ['CONFLICT'] : [];
}

/** The input of a change takes a reason besides. */
export function withReason(definition: Tool | Stream, input: JsonSchema): JsonSchema {
  if (!('effect' in definition) || definition.effect === 'read' || hasReason(definition)) return input;
  return withReasonField(input);
}

/** An input that takes a reason. */
export function withReasonField(input: JsonSchema): JsonSchema {
  return { ...input, properties: { ...asSchemas(input['properties']), [REASON_FIELD]: reason } };
}

const reason = {
  type: 'string',
  minLength: 1,
  maxLength: REASON_MAX,
  description: 'Why, in your own words: kept in the audit log.',
};
