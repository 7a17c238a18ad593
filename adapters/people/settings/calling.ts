import type { Answer } from '../../../tools/core/call-context.ts';
import { AppError } from '../../../tools/core/errors/app-error.ts';
import { callAs } from '../calling.ts';
import { recordsIn } from './credential-parts.ts';
import type { Outcome, SettingsVisit } from './section.ts';

const PAGE = 100;
/** So many are shown on a page; whoever has more looks at them over REST. */
const SHOWN_MAX = 1_000;

/** Every record of a list, page by page. */
export async function allAs(
  visit: SettingsVisit,
  tool: string,
  { name, input = {} }: { readonly name: string; readonly input?: object },
): Promise<ReturnType<typeof recordsIn>> {
  const all: ReturnType<typeof recordsIn>[number][] = [];
  while (all.length < SHOWN_MAX) {
    const page = recordsIn(await callAs(visit, tool, { ...input, take: PAGE, skip: all.length }), name);
    all.push(...page);
    if (page.length < PAGE) break;
  }
  return all;
}

/** The same for a form: what the capability refuses is said above the form, and nothing is lost. */
export async function submitAs(
  visit: SettingsVisit,
  deed: { readonly tool: string; readonly input: object },
  outcome: (output: Answer['output']) => Outcome,
): Promise<Outcome> {
  try {
    return outcome(await callAs(visit, deed.tool, deed.input));
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
    const { message, suggestion, retryAfter } = thrown;
    const problems = { '': suggestion === undefined ? message : `${message} ${suggestion}` };
    return retryAfter === undefined ? { problems } : { problems, retryAfter };
  }
}
