import { restPaths } from '../../tools/core/addresses.ts';
import { isOverMcp, type Tool } from '../../tools/core/define.ts';
import { exampleOverMcp, workedCall } from '../../tools/core/examples.ts';
import { type McpSurface, mcpSurfaces, serversOf, surfaces } from '../../tools/core/surfaces.ts';
import { type Job, jobs } from '../../tools/domain/guide/jobs.ts';
import { errorLines, errorText, keyText, readonlyText } from '../../tools/domain/guide/texts.ts';
import { guidePaths } from '../http/guide-paths.ts';

export interface GuideFacts {
  readonly title: string;
  /** Where the service is reached. */
  readonly baseUrl: string;
}

/** The guide of a surface for an agent that knows nothing of it yet, made from the registry. */
export function skill(surface: McpSurface, tools: readonly Tool[], facts: GuideFacts): string {
  const { audience, about, caution, waiting } = surfaces[surface].mcp;
  const here = tools.filter((tool) => isOverMcp(tool) && serversOf(tool.surface).includes(surface));
  return [
    head(surface, facts),
    `# ${facts.title} for ${audience}`,
    `${facts.title} ${about} ${caution}`,
    '## Connect',
    connection(surface, facts),
    '## A credential',
    keyText,
    '## Jobs',
    waiting,
    ...jobs.filter((job) => job.surface === surface).flatMap((job) => jobSection(job, here)),
    '## Errors',
    errorText,
    errorLines().join('\n'),
    '## Toolsets',
    'Add `?toolsets=` with some of these to the address of the MCP server, or the header `X-MCP-Toolsets`, to be ' +
      `shown these alone; \`?readonly=true\` or \`X-MCP-Readonly: true\` ${readonlyText}. What is not shown is ` +
      'found with `capability_search` and called with `api_call`.',
    toolsetLines(here),
    '',
  ].join('\n\n');
}

/** What hosts that keep such guides read first. */
function head(surface: McpSurface, { title }: GuideFacts): string {
  const { about } = surfaces[surface].mcp;
  return [
    '---',
    `name: ${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${surface}`,
    `description: ${title} ${about}`,
    '---',
  ].join('\n');
}

function connection(surface: McpSurface, { baseUrl }: GuideFacts): string {
  const { prefix, mcp } = surfaces[surface];
  return [
    `- MCP (Streamable HTTP): \`${baseUrl}${mcp.path}\``,
    `- REST: \`${baseUrl}${prefix}\`, described in \`${baseUrl}/openapi.json\`. A result stands in \`data\`.`,
    '- Both take the same input: the names of the calls below are MCP tools. Over REST a result may stand under a ' +
      'name of its own in `data` and is whole where MCP answers in short: `detail` says which, over both.',
  ].join('\n');
}

function jobSection({ title, description, steps }: Job, tools: readonly Tool[]): string[] {
  return [
    `### ${title}`,
    description,
    ...steps.map(({ tool: name, how }, index) => {
      const tool = tools.find((one) => one.name === name);
      return [`${index + 1}. **${name}**. ${how}`, ...(tool === undefined ? [] : [worked(tool)])].join(
        '\n\n',
      );
    }),
  ];
}

/** The same call over MCP and over REST. */
function worked(tool: Tool): string {
  const { name, rest } = tool;
  const [path] = restPaths(tool.surface, rest);
  const mcp = JSON.stringify({ name, arguments: exampleOverMcp(tool) });
  if (rest === undefined || path === undefined) return ['   ```json', `   ${mcp}`, '   ```'].join('\n');
  const { pathParams = {}, query = {}, body } = workedCall(tool);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(pathParams[field]));
  const asked = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([field, value]) => [field, String(value)])),
  );
  const target = asked.size === 0 ? filled : `${filled}?${asked}`;
  const lines = [
    `MCP   ${mcp}`,
    `REST  ${rest.method} ${target}`,
    ...(body === undefined ? [] : [`      ${JSON.stringify(body)}`]),
  ];
  return ['```', ...lines, '```'].map((line) => `   ${line}`).join('\n');
}

function toolsetLines(tools: readonly Tool[]): string {
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))];
  return toolsets
    .map((toolset) => {
      const names = tools.filter((tool) => tool.toolset === toolset).map(({ name }) => `\`${name}\``);
      return `- \`${toolset}\`: ${names.join(', ')}`;
    })
    .join('\n');
}

/** `/llms.txt`: where a program that reads finds the rest. */
export function llmsTxt({ title, baseUrl }: GuideFacts): string {
  const guides = guidePaths.map(
    ({ surface, path }) =>
      `- [Guide for ${surfaces[surface].mcp.audience}](${baseUrl}${path}): how to connect, the main jobs with worked calls, errors`,
  );
  const servers = mcpSurfaces.map(
    (surface) =>
      `- [MCP for ${surfaces[surface].mcp.audience}](${baseUrl}${surfaces[surface].mcp.path}): Streamable HTTP`,
  );
  return [
    `# ${title}`,
    '> An open, self-hosted advertising marketplace for agents: buyers find and buy advertising of many sellers, ' +
      'storefronts sell it.',
    keyText,
    '## Guides',
    [
      ...guides,
      `- [How an agent signs in](${baseUrl}/auth.md): registering without a credential, and being claimed by a user`,
    ].join('\n'),
    '## Interfaces',
    [
      ...servers,
      `- [OpenAPI](${baseUrl}/openapi.json): every address of REST, with examples`,
      `- [MCP manifest](${baseUrl}/mcp-manifest.json): both MCP servers and their tools`,
      `- [Reference](${baseUrl}/docs): the same to read and to try`,
    ].join('\n'),
    '',
  ].join('\n\n');
}
