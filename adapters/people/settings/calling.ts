import type { Answer } from '../../../tools/core/call-context.ts';
import { AppError } from '../../../tools/core/errors/app-error.ts';
import { callAs } from '../calling.ts';
import { type Html, html } from '../html.ts';
import { recordsIn } from './credential-parts.ts';
import type { Outcome, SettingsVisit } from './section.ts';

const PAGE = 100;
/** So many are shown on a page; whoever has more looks at them over REST. */
const SHOWN_MAX = 1_000;

interface Shown {
  readonly records: ReturnType<typeof recordsIn>;
  /** Stands below the list: empty, or that there are more than are shown. */
  readonly more: Html;
}

/** The records of a list, page by page. */
export async function allAs(
  visit: SettingsVisit,
  tool: string,
  { name, input = {} }: { readonly name: string; readonly input?: object },
): Promise<Shown> {
  const records: ReturnType<typeof recordsIn>[number][] = [];
  for (;;) {
    const page = recordsIn(await callAs(visit, tool, { ...input, take: PAGE, skip: records.length }), name);
    if (page.length > 0 && records.length >= SHOWN_MAX) return { records, more: moreBy(tool) };
    records.push(...page);
    if (page.length < PAGE) return { records, more: html`` };
  }
}

function moreBy(tool: string): Html {
  return html`<p>There are more than the ${SHOWN_MAX.toLocaleString('en')} that are shown here: <code>${tool}</code> lists all of them over REST.</p>`;
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
