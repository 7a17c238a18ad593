import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { placesOf } from '../../../core/errors/called-otherwise.ts';
import { anotherMajorInWords, sellersOfAnotherMajor } from '../../../core/errors/change-refusals.ts';
import { namesApart } from '../../../core/errors/names-apart.ts';
import { capitalised } from '../../../core/schemas/sentences.ts';
import type { SellerDeclaration } from '../../sellers/abilities.ts';
import { type Known, speaksAnother } from '../../sellers/heard.ts';
import { fewNames, sellersNamed } from '../choice/closed-sellers.ts';
import { type Naming, PLACES } from '../ways-out.ts';

/**
 * Sellers that declare another major version of AdCP alone: what is ordered there could not be changed, stopped or read
 * afterwards. Pure.
 */

export interface AnotherMajor {
  readonly salesAgentId: string;
  readonly name: string;
  /** The order that would be sent again. */
  readonly mediaBuyId?: string;
}

type Chosen = Pick<DiscoverySelectionRow, 'agent_id' | 'product'>;

/** What sellers declare of the versions that they speak, by their agents. */
type KnownSellers = ReadonlyMap<string, Known<Pick<SellerDeclaration, 'versions'>>>;

/** Those among the sellers of a choice, each once. */
export function ofAnotherMajor(
  selections: readonly Chosen[],
  known: KnownSellers,
  before: readonly Pick<MediaBuyRow, 'id' | 'agent_id'>[],
): AnotherMajor[] {
  const others = selections.filter(({ agent_id }) => isOther(known, agent_id));
  return [...sellersNamed(others)].map(([agent_id, name]) => {
    const buy = before.find((one) => one.agent_id === agent_id);
    return {
      salesAgentId: agent_id,
      name,
      ...(buy === undefined ? {} : { mediaBuyId: buy.id }),
    };
  });
}

/** The same among orders that go out once more. */
export function againAtAnotherMajor(buys: readonly MediaBuyRow[], known: KnownSellers): AnotherMajor[] {
  const others = buys.filter(({ agent_id }) => isOther(known, agent_id));
  const names = namesApart(others);
  return others.map(({ id, agent_id, name }) => ({
    salesAgentId: agent_id,
    name: names.get(id) ?? name,
    mediaBuyId: id,
  }));
}

function isOther(known: KnownSellers, agentId: string): boolean {
  return speaksAnother(known.get(agentId) ?? 'unknown');
}

/** The same of a choice in words: nothing of it can be ordered. */
export function anotherMajorWarnings(selections: readonly Chosen[], known: KnownSellers): string[] {
  const names = ofAnotherMajor(selections, known, []).map(({ name }) => name);
  return names.length === 0 ? [] : [anotherMajorInWords(fewNames(names), names.length)];
}

/**
 * That nothing is ordered because of them, and what else stands against the same orders (`refused`), which is all there
 * is where there are none of them. `remade`: one that no seller holds was to be made anew.
 */
export function againstAnotherMajor(
  others: readonly AnotherMajor[],
  naming: Naming | 'remade',
  refused: AppError | undefined,
): AppError | undefined {
  if (others.length === 0) return refused;
  const way = naming === 'remade' ? 'delete the media buy' : PLACES[naming].drop('what they sell');
  const suggestion = `${capitalised(way)}, or ask them to serve AdCP 3, and repeat the call.`;
  return sellersOfAnotherMajor(others, {
    names: fewNames(others.map(({ name }) => name)),
    suggestion,
    issues: refused === undefined ? [] : placesOf(refused),
  });
}
