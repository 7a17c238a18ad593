import type { Access } from '../../tools/core/access.ts';
import { restPaths } from '../../tools/core/addresses.ts';
import { errorsOf, type RestTool, type Tool } from '../../tools/core/define.ts';
import { namesIn } from '../../tools/core/examples.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import type { Stream } from '../../tools/core/streams.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { type Route, routesOf } from '../rest/routes.ts';
import { withAddresses } from './addresses.ts';
import { refusalExamples } from './openapi-refusals.ts';
import { enveloped, failures } from './openapi-responses.ts';
import { asNames, asSchemas, errorSchema, hoist, type Json, paginationSchema } from './openapi-schemas.ts';
import { addSignup, SIGNUP_TAG } from './openapi-signup.ts';
import {
  conditionalErrors,
  conditionalResponses,
  headerParameters,
  headersOf,
  positionParameter,
  withReason,
} from './repeatable.ts';
import { exampleOf, fills, firstSteps } from './steps.ts';

export interface OpenApiFacts {
  readonly title: string;
  readonly version: string;
  /** Where the service is reached. */
  readonly serverUrl: string;
  /** The name of the cookie of a browser that is signed in. */
  readonly cookie: string;
}

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The REST surface as OpenAPI 3.1, computed from the registry. */
export function openApi(tools: readonly Tool[], streams: readonly Stream[], facts: OpenApiFacts): Json {
  const schemas: Json = { Error: errorSchema(), Pagination: paginationSchema };
  const paths: Record<string, Json> = {};
  for (const route of routesOf(tools, streams)) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operation(route, schemas, tools);
    paths[route.path] = item;
  }
  addSignup(paths, schemas);
  return {
    openapi: '3.1.0',
    info: { title: facts.title, version: facts.version, description: `${ABOUT}\n\n${firstSteps(tools)}` },
    servers: [{ url: facts.serverUrl }],
    tags: [...tagsOf(tools), { name: SIGNUP_TAG }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: BEARER },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: facts.cookie,
          description: 'A person at a browser that is signed in here. No key and no token stands for it.',
        },
      },
      schemas,
      examples: refusalExamples(),
    },
  };
}

const BEARER =
  'An organization API key, a service token, or an access token: of a person who let a program in (OAuth), of an ' +
  'application (client_credentials), of an agent (/auth.md).';

const ABOUT =
  'Every answer is an envelope: data holds the result, error is null; on failure data is null and error holds ' +
  'code, message, field and details. Lists that page carry meta.pagination. The same capabilities are MCP tools ' +
  `under the same names at ${mcpSurfaces.map((surface) => surfaces[surface].mcp.path).join(' and ')}, but for those ` +
  'with x-rest-only.';

function tagsOf(tools: readonly Tool[]): Json[] {
  return [...new Set(tools.map(({ toolset }) => toolset))].map((name) => ({ name }));
}

function operation(route: Route, schemas: Json, tools: readonly Tool[]): Json {
  const definition = 'tool' in route.target ? route.target.tool : route.target.stream;
  const conditional = conditionalErrors(definition);
  const first = isFirst(route);
  const input = withReason(definition, hoist(jsonSchema(definition.input, 'input'), schemas));
  return {
    operationId: first ? definition.name : `${definition.name}_continued`,
    summary: first ? definition.title : `${definition.title}, second address`,
    description: withAddresses(definition.description, tools),
    tags: [definition.toolset],
    ...security(definition.access),
    ...('restOnly' in definition && definition.restOnly ? { 'x-rest-only': true } : {}),
    ...notBuilt(route),
    ...withHeaders(route, inputParts(route, input, examplesAt(route, definition.example, tools)), tools),
    responses: {
      ...('tool' in route.target
        ? success(route.target.tool, schemas, headersOf(route.target.tool, tools))
        : streamed(route.target.stream, schemas)),
      ...failures(
        [...('effect' in definition ? errorsOf(definition) : definition.errors), ...conditional],
        conditional.length > 0,
      ),
    },
  };
}

function isFirst({ path, target }: Route): boolean {
  return 'stream' in target || path === restPaths(target.tool.surface, target.tool.rest)[0];
}

/** The example of an operation. One for another address of it has an id more, and what follows from that less. */
function examplesAt({ path }: Route, example: Json = {}, tools: readonly Tool[] = []): Json {
  if (fills(example, path)) return example;
  return Object.fromEntries(namesIn(path).map((name) => [name, example[name] ?? exampleOf(name, tools)]));
}

function security(access: Access): Json {
  if (access.kind === 'open') return { security: [] };
  return {
    ...(access.human ? { security: [{ session: [] }] } : {}),
    'x-permission': access.permission,
  };
}

/** Documented fields that are answered NOT_IMPLEMENTED stand beside the input: nobody is invited to give them. */
function notBuilt({ target }: Route): Json {
  const fields = 'tool' in target ? target.tool.notBuilt : undefined;
  return fields === undefined ? {} : { 'x-not-built': fields };
}

/** Path parameters, and the rest as query or body. */
function inputParts(route: Route, input: JsonSchema, examples: Json): Json {
  const properties = asSchemas(input['properties']);
  const required = new Set(asNames(input['required']));
  const inPath = namesIn(route.path);
  const others = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  const path = inPath.map((name) =>
    parameter(name, 'path', { schema: properties[name] ?? {}, required: true, example: examples[name] }),
  );
  if (others.length === 0) return path.length === 0 ? {} : { parameters: path };
  if (BODY_METHODS.has(route.method)) {
    const body = {
      type: 'object',
      properties: Object.fromEntries(others),
      required: others.map(([name]) => name).filter((name) => required.has(name)),
      additionalProperties: false,
    };
    return {
      ...(path.length === 0 ? {} : { parameters: path }),
      requestBody: {
        required: body.required.length > 0,
        content: { 'application/json': { schema: body, example: bodyOf(examples, inPath) } },
      },
    };
  }
  const query = others.map(([name, schema]) =>
    parameter(name, 'query', { schema, required: required.has(name), example: examples[name] }),
  );
  return { parameters: [...path, ...query] };
}

/** What is said in headers stands behind the fields. */
function withHeaders({ target }: Route, parts: Json, tools: readonly Tool[]): Json {
  const inHeaders =
    'stream' in target ? [positionParameter(target.stream)] : headerParameters(target.tool, tools);
  if (inHeaders.length === 0) return parts;
  const parameters = Array.isArray(parts['parameters']) ? parts['parameters'] : [];
  return { ...parts, parameters: [...parameters, ...inHeaders] };
}

function bodyOf(examples: Json, inPath: readonly string[]): Json {
  return Object.fromEntries(Object.entries(examples).filter(([name]) => !inPath.includes(name)));
}

function parameter(
  name: string,
  place: 'path' | 'query',
  facts: { schema: JsonSchema; required: boolean; example: unknown },
): Json {
  const { description, ...schema } = facts.schema;
  return {
    name,
    in: place,
    required: facts.required,
    ...(description === undefined ? {} : { description }),
    ...(facts.example === undefined ? {} : { example: facts.example }),
    ...(place === 'query' && schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  };
}

function success(tool: RestTool, schemas: Json, headers: Json): Json {
  const { rest, output } = tool;
  const nothing = { 204: { description: 'Done; there is nothing to say.' } };
  const { instead } = rest;
  if (rest.status === 204 && instead === undefined) return nothing;
  const data = hoist(jsonSchema(rest.shows?.schema ?? output, 'output'), schemas);
  const status = String(rest.status ?? 200);
  const content = enveloped(data, rest.list !== undefined);
  if (instead !== undefined) return { [instead.status]: { description: instead.means, content }, ...nothing };
  return {
    [status]: {
      description: 'The result.',
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content,
    },
    ...conditionalResponses(tool, headers),
  };
}

function streamed({ payload }: Stream, schemas: Json): Json {
  const schema = hoist(jsonSchema(payload, 'output'), schemas);
  return {
    '200': {
      description: 'Server-sent events; the data of each is this payload.',
      content: { 'text/event-stream': { schema } },
    },
    '204': { description: 'You have the last event: none will ever follow.' },
  };
}
