import type { Context } from '../../core/context.ts';
import { isOverMcp } from '../../core/define.ts';
import { exampleOverMcp } from '../../core/examples.ts';
import type { Registry } from '../../core/families.ts';
import { type McpSurface, serversOf, surfaces } from '../../core/surfaces.ts';
import { jobs } from '../../domain/guide/jobs.ts';
import { errorLines, errorText, keyText, readonlyText } from '../../domain/guide/texts.ts';

/** What `help` can explain on a server, each made when it is asked for. */
export function topicsFor({ server, services }: Context): ReadonlyMap<string, () => string> {
  const { registry } = services;
  const surface = server?.surface ?? 'buyer';
  const here = registry.families.filter(
    (family) => family.tools.some(isOverMcp) && serversOf(family.surface).includes(surface),
  );
  const toolsets = [...new Set(here.map(({ toolset }) => toolset))];
  return new Map([
    ['getting_started', () => gettingStarted(surface, services.publicUrl(), toolsets)],
    ['jobs', () => jobsOn(surface, registry)],
    ['errors', () => [errorText, errorLines().join('\n')].join('\n\n')],
    ...toolsets.map((toolset) => [toolset, () => toolsOf(toolset, surface, registry)] as const),
  ]);
}

function gettingStarted(surface: McpSurface, url: string, toolsets: readonly string[]): string {
  const { path, about, caution, waiting } = surfaces[surface].mcp;
  const [main] = jobs.filter((job) => job.surface === surface);
  return [
    `This service ${about} ${caution}`,
    keyText,
    `This server is ${url}${path}. \`?toolsets=\` on its address narrows the list to some of: ` +
      `${toolsets.join(', ')}; \`?readonly=true\` ${readonlyText}.`,
    ...(main === undefined
      ? []
      : [`The usual order: ${main.steps.map(({ tool }) => `\`${tool}\``).join(', ')}.`]),
    waiting,
    'What is not in your list is found with `capability_search` and called with `api_call`.',
  ].join('\n\n');
}

function jobsOn(surface: McpSurface, { tools }: Registry): string {
  const own = jobs.filter((job) => job.surface === surface);
  return own
    .map(({ title, description, steps }) => {
      const lines = steps.map(({ tool: name, how }, index) => {
        const tool = tools.find((one) => one.name === name);
        const example = JSON.stringify(tool === undefined ? {} : exampleOverMcp(tool));
        return `${index + 1}. \`${name}\`: ${how} Such as \`${example}\`.`;
      });
      return [`## ${title}`, description, lines.join('\n')].join('\n\n');
    })
    .join('\n\n');
}

function toolsOf(toolset: string, surface: McpSurface, { tools }: Registry): string {
  return tools
    .filter(isOverMcp)
    .filter((tool) => tool.toolset === toolset && serversOf(tool.surface).includes(surface))
    .map(({ name, title, description }) => `- \`${name}\` (${title}): ${description.split(/(?<=\.) /)[0]}`)
    .join('\n');
}
