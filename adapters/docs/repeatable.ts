import type { RestTool, Tool } from '../../tools/core/define.ts';
import { hasReason, REASON_FIELD, REASON_MAX } from '../../tools/core/reasons.ts';
import { KEY_HEADER, KEY_MAX } from '../../tools/core/repeat-keys.ts';
import type { JsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { readerOf, showsObject } from '../../tools/core/stale-writes.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { isConditional, MATCH_HEADER } from '../../tools/core/versions.ts';
import { asSchemas, type Json } from './openapi-schemas.ts';

/** How OpenAPI tells of what every change takes: a key under which it may be repeated, and a reason. */
export const keyParameter = {
  name: KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'A key of your own for this change, such as a new UUID. The same key and input again within 24 h is answered ' +
    'as before, with Idempotency-Replayed, and nothing is done anew; another input under it is 409.',
  schema: { type: 'string', minLength: 1, maxLength: KEY_MAX },
};

/** Of what changes one object that has a version. */
export const matchParameter = {
  name: MATCH_HEADER,
  in: 'header',
  required: false,
  description:
    'The ETag of the answer that this change is made on, several between commas, or * for whatever there is. Where ' +
    'another version holds by now it is 409, with the object as it is in details.current and its tag in details.etag.',
  schema: { type: 'string' },
};

const tagHeader = {
  ETag: { description: 'The version of the object, for If-Match.', schema: { type: 'string' } },
};

const replayedHeader = {
  'Idempotency-Replayed': {
    description: 'true: this is the answer to an earlier call under the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
};

/** The headers that the success of a capability may come with. */
export function headersOf(tool: RestTool, tools: readonly Tool[]): Json {
  const isTagged = tools.some((other) => readerOf(other, tools) === tool);
  const leavesTag = tool.effect === 'update' && isConditional(tool) && showsObject(tool);
  return {
    ...(tool.effect === 'read' ? {} : replayedHeader),
    ...(isTagged || leavesTag ? tagHeader : {}),
  };
}

/** The input of a change takes a reason besides. */
export function withReason(definition: Tool | Stream, input: JsonSchema): JsonSchema {
  if (!('effect' in definition) || definition.effect === 'read' || hasReason(definition)) return input;
  return { ...input, properties: { ...asSchemas(input['properties']), [REASON_FIELD]: reason } };
}

const reason = {
  type: 'string',
  minLength: 1,
  maxLength: REASON_MAX,
  description: 'Why, in your own words: kept in the audit log.',
};
