import { join } from 'node:path';
import { streams, tools } from '../../tools/registry.ts';
import { familyFolders } from './families.ts';
import type { Fields, Made, Step } from './step.ts';

interface Family {
  readonly name: string;
  readonly steps: readonly Step[];
}

async function familyOf(name: string): Promise<Family> {
  const file = join(import.meta.dirname, `${name}.ts`);
  const { steps }: { steps: readonly Step[] } = await import(/* @vite-ignore */ file);
  return { name, steps };
}

/** What a step that is asked before anything was made would name. */
function placeholdersIn(step: Step): { args: Fields; named: ReadonlySet<string> } {
  const named = new Set<string>();
  const made: Made = (name) => {
    named.add(name);
    return `{{${name}}}`;
  };
  return { args: step.args?.(made) ?? {}, named };
}

/**
 * The steps of all families in one order: families take turns, each keeps its own order, and a step waits for
 * what it names and for the tools that it comes after. What ends something comes last.
 */
export function ordered(families: readonly Family[]): Step[] {
  const order: Step[] = [];
  for (const last of [false, true]) {
    const queues = families.map(({ name, steps }) => ({
      name,
      waiting: steps.filter((step) => (step.last ?? false) === last),
    }));
    while (queues.some(({ waiting }) => waiting.length > 0)) {
      const before = order.length;
      for (const { waiting } of queues) takeReady(waiting, order);
      if (order.length === before) throw new Error(`No way on: ${queues.map(stuck).join(' ')}`);
    }
  }
  return order;
}

function takeReady(waiting: Step[], order: Step[]): void {
  for (let [next] = waiting; next !== undefined && lacks(next, order).length === 0; [next] = waiting) {
    order.push(next);
    waiting.shift();
  }
}

/** What is there before the first step: no capability makes it. */
const BEFORE = ['legacyKeyId', 'memberId', 'joinRequestId'];

/** What comes about beside the capabilities, by the tool after which it does. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  advertiser_create: ['liveAdvertiserId'],
  join_link_create: ['sponsoredBuyerId'],
  campaign_execute: ['waitingCampaignId', 'spendApprovalId', 'otherSpendApprovalId'],
  discover_products: ['proposalId'],
};

function lacks(step: Step, order: readonly Step[]): string[] {
  const given = new Set([
    ...BEFORE,
    ...order.flatMap(({ tool, gives = {} }) => [...Object.keys(gives), ...(BESIDE[tool] ?? [])]),
  ]);
  const called = new Set(order.map(({ tool }) => tool));
  return [
    ...[...placeholdersIn(step).named].filter((name) => !given.has(name)),
    ...(step.after ?? []).filter((tool) => !called.has(tool)),
  ];
}

function stuck({ name, waiting }: { name: string; waiting: readonly Step[] }): string {
  return `${name} waits with ${waiting[0]?.tool ?? 'nothing'}.`;
}

const names = familyFolders.map((folder) => folder.replace(/^.*\//, ''));

/** One walk through everything the service can do: every tool and stream at least once, each with success. */
export const journey: readonly Step[] = ordered(await Promise.all(names.map(familyOf)));

/** The steps that show a capability first: each name once. */
export const firstSteps: readonly Step[] = journey.filter(
  (step, index) => journey.findIndex(({ tool }) => tool === step.tool) === index,
);

/** For `test.each`: steps, each with the name of its tool in front. */
export function byTool(steps: readonly Step[]): [string, Step][] {
  return steps.map((step) => [step.tool, step]);
}

export type Capability = (typeof tools)[number] | (typeof streams)[number];

export function capabilityOf({ tool: name }: Pick<Step, 'tool'>): Capability {
  const found = [...tools, ...streams].find((one) => one.name === name);
  if (found === undefined) throw new Error(`Nothing in the registry is called ${name}.`);
  return found;
}

/** Whether a step has no address over REST. */
export function overMcpAlone(step: Step): boolean {
  const capability = capabilityOf(step);
  return 'handler' in capability && capability.rest === undefined;
}

/** Whether no MCP server knows of a step. */
export function overRestAlone(step: Step): boolean {
  const capability = capabilityOf(step);
  return 'handler' in capability && capability.restOnly === true;
}

/** Whether a step changes something. Streams only read. */
export function changes(step: Step): boolean {
  const capability = capabilityOf(step);
  return 'effect' in capability && capability.effect !== 'read';
}

/** Whether a step gives the id of what it changes. */
export function namesSubject(step: Step): boolean {
  return Object.values(placeholdersIn(step).args).includes(`{{${step.logged?.id}}}`);
}

/**
 * Arguments that every capability takes at some moment of the journey, with `{{name}}` where the id of
 * something made belongs: for tests that make up their own from known ones.
 */
export function knownArguments(): ReadonlyMap<string, Fields> {
  return new Map(firstSteps.map((step) => [step.tool, placeholdersIn(step).args]));
}
