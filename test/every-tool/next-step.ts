import type { Fields } from '../journeys/step.ts';
import type { Outcome } from '../support/callers/tool-lanes.ts';
import { toolsIn } from '../support/house/steps-named.ts';
import { type Call, settled, type World } from './mistake.ts';

/** The step that a refusal leads to, read from what it says; undefined where it takes a mind to go on. */
export function nextStep(call: Call, { content }: Pick<Outcome, 'content'>, world: World): Call | undefined {
  const words = [content['message'], content['suggestion']].join(' ');
  const given = call.args?.(world) ?? {};
  const other = toolsIn(words).find((name) => name !== call.tool && name in settled);
  if (other !== undefined) return { tool: other, args: settled[other] ?? (() => ({})) };
  const field = content['field'];
  const mended = typeof field === 'string' ? mendedAt(given, field.split('.'), words) : undefined;
  return mended === undefined ? undefined : { tool: call.tool, args: () => mended };
}

/** The input with what the words say of the field done to it. */
function mendedAt(given: Fields, path: readonly string[], words: string): Fields | undefined {
  const [name = ''] = path.slice(-1);
  for (const [said, change] of changes) {
    const [whole, figure = ''] = said.exec(words) ?? [];
    if (whole !== undefined) return changedAt(given, path, (holder) => change(holder, name, figure));
  }
  return undefined;
}

type Holder = Record<string, unknown>;
type Change = (holder: Holder, name: string, figure: string) => void;

const leaveOut: Change = (holder, name) => {
  delete holder[name];
};
const put =
  (read: (figure: string) => unknown): Change =>
  (holder, name, figure) => {
    holder[name] = read(figure);
  };

/** What refusals say of a field, and what somebody does who takes them at their word. */
const changes: readonly (readonly [RegExp, Change])[] = [
  [
    /Did you mean (\w+)\?/,
    (holder, name, figure) => {
      holder[figure] ??= holder[name];
      delete holder[name];
    },
  ],
  [
    /Pages go by (\w+) and/,
    (holder, name, figure) => {
      delete holder[name];
      holder[figure] = 0;
    },
  ],
  [/[Ll]eave (?:out|the bid out|it out)/, leaveOut],
  [/give one of them/, leaveOut],
  [/not both/, leaveOut],
  [/Unknown field\. Known here/, leaveOut],
  [/Give one of: ([^\s,]*[^\s,.])/, put(String)],
  [/Give true or false/, put(() => true)],
  [/pays in ([A-Z]{3})/, put(String)],
  [/[Ss]uch as (?!that\b)(\S+?)[….,;)]*(?:\s|$)/, put(String)],
  [/More than (\d+)/, put((figure) => Number(figure) + 1)],
  [
    /(\d+) entries at the most/,
    (holder, name, figure) => {
      holder[name] = list(holder[name]).slice(0, Number(figure));
    },
  ],
  [/(\d+) (?:at the most|at the least)/, put(Number)],
  [
    /(\d+) decimals at the most/,
    (holder, name, figure) => {
      holder[name] = Number(Number(holder[name]).toFixed(Number(figure)));
    },
  ],
  [/Give a whole number/, put(() => 1)],
];

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function changedAt(given: Fields, path: readonly string[], change: (holder: Holder) => void): Fields {
  const copy: Holder = structuredClone(given);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((part, step) => (isHolder(part) ? part[step] : undefined), copy);
  if (isHolder(holder)) change(holder);
  return copy;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}
