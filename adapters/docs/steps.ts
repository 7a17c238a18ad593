import { restPaths } from '../../tools/core/addresses.ts';
import { isRestTool, type Tool } from '../../tools/core/define.ts';
import { namesIn } from '../../tools/core/examples.ts';
import { jobs } from '../../tools/domain/guide/jobs.ts';
import { keyText } from '../../tools/domain/guide/texts.ts';
import { withAddresses } from './addresses.ts';

/** What stands above the reference of REST: where a credential comes from, and the jobs as calls in their order. */
export function firstSteps(tools: readonly Tool[]): string {
  return [
    '### A credential',
    keyText,
    ...jobs.flatMap((job) => [`### ${job.title}`, stepsOf(job.steps, tools)]),
  ].join('\n\n');
}

function stepsOf(steps: readonly { tool: string; how: string }[], tools: readonly Tool[]): string {
  return steps
    .map(({ tool: name, how }, index) => {
      const tool = tools.find((one) => one.name === name);
      const address =
        tool !== undefined && isRestTool(tool)
          ? `${tool.rest.method} ${restPaths(tool.surface, tool.rest)[0]}`
          : name;
      return `${index + 1}. \`${address}\`: ${withAddresses(how, tools)}`;
    })
    .join('\n');
}

/** A value for a parameter of a path that the example of its own capability has not. */
export function exampleOf(name: string, tools: readonly Tool[]): unknown {
  const [tool] = tools.filter(({ example = {} }) => name in example);
  return tool?.example?.[name];
}

/** Whether an example fills every parameter of a path. */
export function fills(example: Readonly<Record<string, unknown>> | undefined, path: string): boolean {
  return namesIn(path).every((name) => name in (example ?? {}));
}
