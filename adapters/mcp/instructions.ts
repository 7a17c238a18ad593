import type { Tool } from '../../tools/core/define.ts';
import { type McpSurface, surfaces } from '../../tools/core/surfaces.ts';
import { jobs } from '../../tools/domain/guide/jobs.ts';

/** A single step is no order. */
const STEPS_MIN = 2;

/** The installation that the instructions are about. */
export interface Installation {
  /** What it is called. */
  readonly title: string;
  readonly baseUrl: string;
}

/** What a host tells its model of an address, the same in both eras: it names only tools that are shown there. */
export function instructionsFor(
  { title, baseUrl }: Installation,
  surface: McpSurface,
  shown: readonly Tool[],
): string {
  const { about, caution } = surfaces[surface].mcp;
  const names = new Set(shown.map(({ name }) => name));
  const [main] = jobs.filter((job) => job.surface === surface);
  const steps = (main?.steps ?? []).filter(({ tool }) => names.has(tool));
  const order = steps.map(({ tool, how }) => `${tool}: ${known(how, names)}`);
  return [
    `${title} ${about}`,
    ...(steps.length < STEPS_MIN ? [] : [`The usual order. ${order.join(' ')}`]),
    ...(names.has('capability_search') && names.has('api_call')
      ? ['What is not in the list is found with capability_search and called with api_call.']
      : []),
    caution,
    // Hosts keep the address that they call to themselves, and answers send people to pages below it.
    `Its pages for people, such as /settings, are below ${baseUrl}.`,
    ...(shown.every(({ effect }) => effect === 'read')
      ? []
      : [
          'Until the organization has accepted the terms of service, calls that change something fail with ' +
            'TOS_ACCEPTANCE_REQUIRED.',
        ]),
  ].join(' ');
}

/** Without the parts of a sentence that name a tool which is not shown. */
function known(how: string, names: ReadonlySet<string>): string {
  const parts = how.split(/(?<=[,;:]) /).filter((part) => {
    const named = part.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
    return named.every((name) => names.has(name));
  });
  return parts.join(' ').replace(/[,;:]$/, '.');
}
