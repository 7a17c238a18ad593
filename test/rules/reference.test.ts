import { describe, expect, test } from 'vitest';
import { reference } from '../../adapters/docs/markdown.ts';
import { openApi } from '../../adapters/docs/openapi.ts';
import { isRestTool } from '../../tools/core/define.ts';
import { families, streams, tools } from '../../tools/registry.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Answer {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const sections = new Map(
  reference(families)
    .split('\n\n## ')
    .slice(1)
    .map((section) => [section.split('\n')[0] ?? '', section]),
);
const facts = { title: 'Rialto', version: '1', serverUrl: '/', cookie: 'session' };
const document: Document = JSON.parse(JSON.stringify(openApi(tools, streams, facts)));
const operations = new Map(
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation]),
);

function responsesOf(name: string): Operation['responses'] {
  return operations.get(name)?.responses ?? {};
}

/** The data of a success as OpenAPI tells of it, which the contract holds to what is answered. */
function dataOf(name: string): Schema | undefined {
  const success = Object.entries(responsesOf(name)).find(([status]) => /^2/.test(status) && status !== '204');
  const data = success?.[1].content?.['application/json'].schema.properties?.['data'];
  const named = data?.$ref?.split('/').at(-1);
  return named === undefined ? data : document.components.schemas[named];
}

describe('the reference', () => {
  test.each(tools.filter(isRestTool).map((tool) => [tool.name, tool] as const))(
    'says what %s gives over REST',
    (name, { output }) => {
      const said = /^Gives `.*$/m.exec(sections.get(name) ?? '')?.[0] ?? '';
      const data = dataOf(name);

      for (const field of Object.keys(data?.properties ?? {})) expect(said).toContain(`\`${field}\``);
      expect(said.includes('Over REST the list alone')).toBe(data?.type === 'array');
      expect(said.includes('204 without a body')).toBe('204' in responsesOf(name));
      const missing = Object.keys(output.shape).filter((field) => !(field in (data?.properties ?? {})));
      if (missing.length > 0) expect(said).toContain('Over REST');
      else expect(said).not.toMatch(/Over REST `/);
    },
  );

  test.each(['help', 'capability_search', 'api_call'])(
    'says that %s needs a credential, as MCP does',
    (name) => {
      expect(sections.get(name)).toContain('over MCP alone · needs any credential · ');
    },
  );

  test('says that health is open over REST alone', () => {
    expect(sections.get('health')).toContain('`GET /health` · needs no credential over REST · read');
  });
});
