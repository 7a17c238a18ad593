import { listProductsOf } from '../../../../store/discovery-products.ts';
import { listProposalsOf } from '../../../../store/discovery-proposals.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import type { Services } from '../../../core/context.ts';
import type { Seller } from '../../sellers/port.ts';
import type { AnswerSaid } from '../../sellers/product-query.ts';
import type { Collection, Outcome } from './collect.ts';
import { productIn, sourceIn } from './kept-products.ts';
import { type Proposal, readProposal } from './proposals.ts';
import { type Refined, refined } from './refined.ts';
import type { Group, ReadProducts } from './seller-products.ts';

/** Answers of sellers that were asked to change what they brought before. */

interface Answer {
  readonly seller: Seller;
  readonly read: ReadProducts;
  readonly proposals?: readonly Proposal[] | undefined;
  readonly said?: AnswerSaid | undefined;
}

/** An answer with the changes held against it. */
export async function changed(
  services: Services,
  collection: Collection,
  { seller, read, proposals = [], said = {} }: Answer,
): Promise<Refined> {
  const before = await broughtBefore(services, collection, seller);
  return refined(read, { asked: collection.round?.asked.get(seller.agentId) ?? [], before, proposals, said });
}

/** What a seller brought before without what is to be left out: there is nothing to ask it. */
export async function omitted(
  services: Services,
  collection: Collection,
  { agentId }: Seller,
): Promise<Outcome> {
  const groups = await broughtBefore(services, collection, { agentId });
  const entries = groups.reduce((sum, { products }) => sum + products.length, 0);
  const all: ReadProducts = {
    groups,
    products: entries,
    invalid: collection.round?.before.get(agentId)?.invalidProducts ?? 0,
    entries,
    hidden: {},
    briefMatched: groups.some(({ products }) => products.some((one) => one.briefMatched !== false)),
  };
  const asked = collection.round?.asked.get(agentId) ?? [];
  const proposals = await proposedBefore(services, collection, agentId);
  return { agentId, ...refined(all, { asked, before: groups, proposals, said: {} }) };
}

async function broughtBefore(
  { store }: Services,
  { session, round }: Collection,
  { agentId }: Pick<Seller, 'agentId'>,
): Promise<Group[]> {
  const own = round?.before.get(agentId)?.groups ?? [];
  const groupIds = own.map(({ group_id }) => group_id);
  const rows = await listProductsOf(store.db, scopeOfRow(session), { id: session.id, groupIds });
  return own.map(({ group_id, name, publisher_domain }) => ({
    groupId: group_id,
    groupName: name,
    publisherDomain: publisher_domain,
    products: rows
      .filter((row) => row.group_id === group_id)
      .map((row) => ({
        ...productIn(row),
        ...(row.source === null ? {} : { source: sourceIn(row) }),
      })),
  }));
}

async function proposedBefore(
  { store }: Services,
  { session }: Collection,
  agentId: string,
): Promise<Proposal[]> {
  const rows = await listProposalsOf(store.db, scopeOfRow(session), { id: session.id, agentId });
  return rows.map(readProposal);
}
