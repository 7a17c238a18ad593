import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openApi } from '../../adapters/docs/openapi.ts';
import { routesOf } from '../../adapters/rest/routes.ts';
import { endpoints } from '../../adapters/signup/endpoints.ts';
import { isRestTool } from '../../tools/core/define.ts';
import { commonErrorCodes, errorEntry } from '../../tools/core/errors/catalogue.ts';
import { streams, tools } from '../../tools/registry.ts';
import { asSchema } from '../support/house/schema-walk.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: object;
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly 'x-permission'?: string;
}

const document = openApi(tools, streams, {
  title: 'Rialto',
  version: '1.0.0',
  serverUrl: '/',
  cookie: 'rialto_session',
});
const everything = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(
  ([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const isSignup = ({ operation }: (typeof everything)[number]) => operation.tags.includes('signup');
/** Those of the registry; signing up stands beside it. */
const operations = everything.filter((one) => !isSignup(one));
const signups = everything.filter(isSignup);

/** What a person signs up with takes a reason besides. */
function fieldsOf({ input, needsPerson }: Pick<(typeof endpoints)[number], 'input' | 'needsPerson'>) {
  return [...Object.keys(input.shape), ...(needsPerson ? ['reason'] : [])];
}
/** Descriptions for readers of REST say where a tool is. */
const withoutAddresses = (text: string) => text.replaceAll(/ \((GET|POST|PUT|PATCH|DELETE) \/[^)]+\)/g, '');
const withoutNames = (example: object, names: readonly (string | undefined)[]) =>
  Object.fromEntries(Object.entries(example).filter(([name]) => !names.includes(name)));
/** What a reference means within the document. */
const at = (whole: object, reference: string): unknown =>
  reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((value, name) => asSchema(value)[name], whole);
const definitionOf = (operationId: string) => {
  const name = operationId.replace(/_continued$/, '');
  const found = [...tools, ...streams].find((one) => one.name === name);
  if (found === undefined) throw new Error(`${operationId} is nothing that the registry knows.`);
  return found;
};

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document['openapi']).toBe('3.1.0');
  });

  test('would not pass the validator with a response left out', async () => {
    const broken = structuredClone(document);
    Object.assign(broken, { paths: { '/campaigns': { get: { responses: { 200: {} } } } } });

    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  test('has an operation for every route, and no other', () => {
    const routes = routesOf(tools, streams).map(({ method, path }) => `${method.toLowerCase()} ${path}`);

    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(routes.sort());
  });

  test('names every operation once, after its capability', () => {
    const ids = everything.map(({ operation }) => operation.operationId);

    expect(new Set(ids).size).toBe(ids.length);
    for (const { name } of [...tools.filter(isRestTool), ...streams]) expect(ids).toContain(name);
  });

  test('gives every operation its words', () => {
    for (const { operation } of operations) {
      const { title, description, toolset } = definitionOf(operation.operationId);
      expect(operation).toMatchObject({ tags: [toolset] });
      expect(operation.summary).toMatch(new RegExp(`^${title}(, second address)?$`));
      const told = withoutAddresses(operation.description);
      expect(told).toBe(withoutAddresses(description));
    }
  });

  test('gives every operation a summary of its own', () => {
    const summaries = everything.map(({ operation }) => operation.summary);

    expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual([]);
  });

  test('says of every tool that a description names where it is over REST', () => {
    const names = new Set(tools.filter(({ rest }) => rest !== undefined).map(({ name }) => name));
    for (const { operation } of operations) {
      const first = new Set(operation.description.match(/\b[a-z]+(?:_[a-z]+)+\b/g));
      for (const name of first)
        if (names.has(name))
          expect(operation.description).toMatch(new RegExp(`${name} \\((GET|POST|PUT|PATCH|DELETE) /`));
    }
  });

  test('begins with where a key comes from and with the order of the calls', () => {
    const { description } = asSchema(document['info']);

    expect(description).toContain('key create');
    expect(String(description).indexOf('discover-products')).toBeLessThan(
      String(description).indexOf('{campaignId}/execute'),
    );
  });

  test('fills every required field of every operation with an example', () => {
    for (const { path, method, operation } of operations) {
      const { parameters = [] } = operation;
      const without = parameters.filter((one) => one.required && !('example' in one));
      expect(without, `${method} ${path}`).toEqual([]);
      // At a second address the call goes on with what the first one was given.
      if (operation.operationId.endsWith('_continued')) continue;
      const content = asSchema(asSchema(asSchema(operation.requestBody)['content'])['application/json']);
      const required = asSchema(content['schema'])['required'] ?? [];
      expect(Object.keys(asSchema(content['example'])), `${method} ${path}`).toEqual(
        expect.arrayContaining([required].flat()),
      );
    }
  });

  test('says of every operation who may call it', () => {
    expect(document['security']).toEqual([{ bearer: [] }]);
    for (const { operation } of operations) {
      const { access } = definitionOf(operation.operationId);
      if (access.kind === 'open') expect(operation.security).toEqual([]);
      else expect(operation).toMatchObject({ 'x-permission': access.permission });
      const human = access.kind === 'permission' && access.human === true;
      if (human) expect(operation.security).toEqual([{ session: [] }]);
      expect(access.kind === 'open' || human || operation.security === undefined).toBe(true);
    }
  });

  test('lists every error of every operation under its status', () => {
    for (const { operation } of operations) {
      for (const code of [...definitionOf(operation.operationId).errors, ...commonErrorCodes]) {
        const [status] = errorEntry(code).statuses;
        expect(operation.responses[String(status)]?.description, operation.operationId).toContain(
          `\`${code}\``,
        );
      }
    }
  });

  test('answers every operation with the success status of its definition and no other', () => {
    for (const { operation } of operations) {
      const definition = definitionOf(operation.operationId);
      const successes = Object.keys(operation.responses).filter((code) => code.startsWith('2'));
      // A stream of which its reader has the last event has nothing to send.
      if (!('rest' in definition)) {
        expect(successes).toEqual(['200', '204']);
        continue;
      }
      const { status = 200, instead = undefined } = definition.rest ?? {};
      // What there is to say after all is said with a status of its own.
      expect(successes).toEqual([...(instead === undefined ? [] : [String(instead.status)]), String(status)]);
    }
  });

  test('declares every parameter of every path', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  });

  test('has every way of signing up', () => {
    expect(signups.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      endpoints.map(({ method, path }) => `${method.toLowerCase()} ${path}`).sort(),
    );
  });

  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
    'says of %s what it takes, answers and refuses, and fills it with an example',
    (name, { title, needsPerson, path, input, output, statuses, errors, example }) => {
      const operation = signups.find((one) => one.operation.operationId === name)?.operation;
      const { parameters = [], responses = {}, requestBody } = operation ?? {};
      const content = asSchema(asSchema(asSchema(requestBody)['content'])['application/json']);
      const inBody = Object.keys(asSchema(asSchema(content['schema'])['properties']));
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);

      expect(operation).toMatchObject({ summary: title, security: needsPerson ? [{ session: [] }] : [] });
      expect([...parameters.map((one) => one.name), ...inBody]).toEqual([
        ...inPath,
        ...fieldsOf({ input, needsPerson }),
      ]);
      expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
      for (const status of statuses)
        for (const field of Object.keys(output.shape))
          expect(JSON.stringify(responses[String(status)])).toContain(`"${field}"`);
      for (const code of [...errors, ...commonErrorCodes])
        expect(responses[String(errorEntry(code).statuses[0])]?.description).toContain(`\`${code}\``);
      expect(input.safeParse(withoutNames(example, inPath)).success).toBe(true);
    },
  );

  test('shows an answer of every error of every operation, which fits what it says of errors', () => {
    const { examples, schemas } = asSchema(document['components']);
    const fits = new AjvJsonSchemaValidator().getValidator(asSchema(asSchema(schemas)['Error']));
    const answers = Object.values(asSchema(examples)).map((example) => asSchema(asSchema(example)['value']));

    expect(answers.flatMap((answer) => fits(answer).errorMessage ?? [])).toEqual([]);
    for (const { operation } of everything) {
      for (const [status, response] of Object.entries(operation.responses).filter(([at]) => at >= '400')) {
        const told = [...response.description.matchAll(/`([A-Z_]+)`:/g)].map(([, code]) => code);
        const { content } = asSchema(response);
        const shown = Object.values(
          asSchema(asSchema(asSchema(content)['application/json'])['examples']),
        ).map((reference) => asSchema(at(document, String(asSchema(reference)['$ref'])))['summary']);
        expect(shown, `${operation.operationId} ${status}`).toEqual(told);
      }
    }
  });

  test('points at what is there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, target = '']) => target,
    );

    expect(references.length).toBeGreaterThan(0);
    for (const target of references) {
      expect(target).toMatch(/^#\/components\/(schemas|examples)\//);
      expect(at(document, target), target).toBeDefined();
    }
  });
});
