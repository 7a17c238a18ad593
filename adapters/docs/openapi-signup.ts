import { namesIn } from '../../tools/core/examples.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { type Endpoint, endpoints } from '../signup/endpoints.ts';
import { enveloped, failures } from './openapi-responses.ts';
import { asNames, asSchemas, hoist, type Json } from './openapi-schemas.ts';
import { withReasonField } from './repeatable.ts';

export const SIGNUP_TAG = 'signup';

const NO_KEY =
  'It takes no Idempotency-Key (400): a key belongs to an account, and signing up is done outside of all.';

/** Signing up stands beside the capabilities, and in the same document. */
export function addSignup(paths: Record<string, Json>, schemas: Json): void {
  for (const endpoint of endpoints) {
    const item = paths[endpoint.path] ?? {};
    item[endpoint.method.toLowerCase()] = operation(endpoint, schemas);
    paths[endpoint.path] = item;
  }
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const { name, title, description, method, needsPerson, statuses, errors, output } = endpoint;
  const content = enveloped(hoist(jsonSchema(output, 'output'), schemas));
  return {
    operationId: name,
    summary: title,
    description: method === 'POST' ? `${description} ${NO_KEY}` : description,
    tags: [SIGNUP_TAG],
    security: needsPerson ? [{ session: [] }] : [],
    'x-rest-only': true,
    ...inputOf(endpoint, schemas),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, { description: 'The result.', content }])),
      ...failures(errors),
    },
  };
}

function inputOf({ method, path, input, example, needsPerson }: Endpoint, schemas: Json): Json {
  const inPath = namesIn(path);
  const published = jsonSchema(input, 'input');
  const schema = hoist(method === 'POST' && needsPerson ? withReasonField(published) : published, schemas);
  const properties = asSchemas(schema['properties']);
  const required = asNames(schema['required']);
  const parameters = inPath.map((name) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' }, example: example[name] },
  }));
  if (method === 'GET') {
    const query = Object.entries(properties).map(([name, { description, ...part }]) => ({
      ...{ name, in: 'query', required: required.includes(name), description, schema: part },
      example: example[name],
    }));
    return withParameters([...parameters, ...query]);
  }
  const body = Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.includes(name)));
  const content = { 'application/json': { schema, example: body } };
  return { ...withParameters(parameters), requestBody: { required: required.length > 0, content } };
}

function withParameters(parameters: readonly object[]): Json {
  return parameters.length === 0 ? {} : { parameters };
}
