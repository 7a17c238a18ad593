import { z } from 'zod';
import { capUnits } from '../../../store/advertisers.ts';
import {
  type AgentLogEntry,
  type AgentTold,
  incompleteScopes,
  type RefinementItem,
  refinementStatuses,
} from '../../../store/discovery-sessions.ts';
import type { AnswerSaid, Traced } from '../sellers/product-query.ts';
import { answerRoom, MESSAGE_MAX, shownAnswer } from '../shown-answer.ts';
import { boundedText, sellerText } from '../text.ts';

/** What a seller says beside its products (AdCP 3.0, get_products), read for whoever is to be told. Pure. */

const TEXT_MAX = 500;
const ENTRIES_MAX = 10;

const gap = z.looseObject({
  scope: z.enum(incompleteScopes),
  description: z.unknown().optional(),
  estimated_wait: z
    .object({ interval: z.number().positive().max(1e6), unit: z.enum(capUnits) })
    .optional()
    .catch(undefined),
});

/** What it could not finish; nothing where all is there. */
export function incompleteIn({ incomplete }: AnswerSaid): Pick<AgentTold, 'incomplete'> {
  if (!Array.isArray(incomplete)) return {};
  const read = incomplete.slice(0, ENTRIES_MAX).flatMap((entry) => {
    const { data } = gap.safeParse(entry);
    if (data === undefined) return [];
    const { scope, description, estimated_wait } = data;
    const told = { scope, description: boundedText(description, TEXT_MAX) };
    return [estimated_wait === undefined ? told : { ...told, estimated_wait }];
  });
  return read.length === 0 ? {} : { incomplete: read };
}

const answered = z.looseObject({
  scope: z.string(),
  product_id: z.string().optional(),
  proposal_id: z.string().optional(),
  status: z.enum(refinementStatuses),
  notes: z.unknown().optional(),
});

export interface Reply {
  readonly status: (typeof refinementStatuses)[number];
  readonly notes?: string | undefined;
}

/** What a seller says became of each change, by its place among those it was asked; undefined where it does not say. */
export function repliesIn(
  { refinement_applied }: AnswerSaid,
  asked: readonly RefinementItem[],
): (Reply | undefined)[] {
  const entries: unknown[] = Array.isArray(refinement_applied) ? refinement_applied : [];
  return asked.map((item, place) => {
    const { data } = answered.safeParse(entries[place]);
    if (data === undefined || data.scope !== item.scope || !namesIt(data, item)) return undefined;
    return { status: data.status, notes: sellerText(data.notes, TEXT_MAX) };
  });
}

function namesIt(data: z.output<typeof answered>, item: RefinementItem): boolean {
  if (item.scope === 'request') return true;
  return (item.scope === 'product' ? data.product_id : data.proposal_id) === item.id;
}

type Said = Omit<Traced, 'type'> & { readonly type: AgentLogEntry['type'] };

/** Takes down a conversation, each message with its moment, and the last answer beside it: all cut, without secrets. */
export class Conversation {
  readonly log: AgentLogEntry[] = [];
  raw: unknown;
  readonly #now: () => string;
  readonly #rawMax: number;

  constructor(now: () => string, sellers: number) {
    this.#now = now;
    this.#rawMax = answerRoom(sellers);
  }

  add = ({ raw, request, response, ...told }: Said): void => {
    this.log.push({ timestamp: this.#now(), ...told, ...cut({ request }), ...cut({ response }) });
    if (raw !== undefined) this.raw = shownAnswer(raw, { max: this.#rawMax });
  };
}

function cut(said: Readonly<Record<string, unknown>>): object {
  const kept = Object.entries(said).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, shownAnswer(value, { max: MESSAGE_MAX })]));
}
