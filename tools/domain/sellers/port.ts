import type { Targeting } from '../../../store/discovery-selections.ts';
import type { IncompleteReason } from '../../../store/discovery-sessions.ts';
import type { Sealed } from '../../../store/engine/codec.ts';
import type { SellerGoal } from '../campaigns/goals.ts';
import type { PackageUpdate, SellerAbilities, SellerDeclaration } from './abilities.ts';
import type { AccountsAsked, AccountsTold } from './accounts.ts';
import type { SentUpdate, TaskReference, UpdateAnswer, UpdateReport } from './buy-update.ts';
import type { Delivered, DeliveryAsked } from './delivery.ts';
import type { FrequencyLimit } from './frequency-limit.ts';
import type { OfferedProducts, ProductQuery } from './product-query.ts';
import type { SellerPackage, ShownTimes, ShownTotal } from './seller-package.ts';

declare module '../../core/ports.ts' {
  interface Ports {
    readonly sellers: Sellers;
    readonly sellerAddresses: SellerAddresses;
  }
}

/** Where sellers may live, as the settings have it. */
export interface SellerAddresses {
  /** False for a URL with a private or special address, or a name of this machine, closed to the organization. */
  mayReach(url: string, organizationId: number): boolean;
}

/** A seller that can be asked: a source behind a storefront. */
export interface Seller {
  readonly agentId: string;
  readonly agentName: string;
  readonly storefrontId: number;
  readonly storefrontName: string;
  readonly source: SellerSource;
  /** Absent where nobody looked. */
  readonly history?: SellerHistory;
}

/** How the seller answered when it was asked, as far as that is stored. */
export interface SellerHistory {
  readonly answeredAt: string | null;
  readonly lateAt: string | null;
  /** Calls in a row that took longer than a seller has. */
  readonly lateCalls: number;
}

/** How the seller is reached. The tools hand it through and look at none of it. */
export interface SellerSource {
  readonly id: string;
  readonly organizationId: number;
  readonly customerId: number;
  readonly executionType: string;
  readonly endpointUrl: string | null;
  readonly authenticationType: string | null;
  /** Still encrypted. */
  readonly auth: Sealed | null;
}

/** For whom a seller is asked. */
export interface BuyingParty {
  /** The advertiser's brand, a domain. */
  readonly brand: string;
  /** The domain of the organization that operates the account. */
  readonly operator: string;
  readonly sandbox: boolean;
  /** What the seller calls the account that it is asked under; without one it is told brand and operator. */
  readonly accountId?: string;
  /** How often one person is to see the advertiser's ads, by whatever is bought. */
  readonly frequencyCap?: FrequencyLimit;
}

export interface OrderPackage {
  readonly product_id: string;
  readonly pricing_option_id: string;
  /** Major units. */
  readonly budget: number;
  /** What it has with the fee, in minor units, where that is a part of a product: kept here, and never sent. */
  readonly gross_minor?: number;
  readonly bid_price?: number;
  readonly pacing?: PackageUpdate['pacing'];
  readonly format_ids?: readonly { readonly agent_url: string; readonly id: string }[];
  readonly start_time?: string;
  readonly end_time?: string;
  readonly targeting_overlay?: Targeting;
  readonly optimization_goals?: readonly SellerGoal[];
}

/** An order as it is kept and sent: a repeat under the same key sends the same bytes. */
export interface Order {
  readonly party: BuyingParty;
  readonly idempotencyKey: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly currency: string;
  readonly packages: readonly OrderPackage[];
}

/** An order on its way. */
export interface SentOrder extends Order {
  /** True where the seller may have taken it already: one that keeps no keys is asked for it first. */
  readonly repeat?: boolean;
}

/** What a seller says of a media buy. Fields beyond these stay with the seller. */
export type OrderAnswer =
  | {
      readonly kind: 'accepted';
      readonly mediaBuyId: string;
      readonly status: string;
      readonly packages: readonly SellerPackage[];
      readonly total?: ShownTotal;
      /** What the seller says beside it. */
      readonly message?: string;
    }
  | {
      readonly kind: 'submitted';
      readonly taskId: string;
      /** The state of its task; `submitted` unless it says so. */
      readonly status?: string;
      /** What it says beside it, such as what it needs. */
      readonly message?: string;
    }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      /** The seller says that the same order may pass later. */
      readonly transient?: boolean;
      /** The order went out twice, and the answer to the first time was lost. */
      readonly unresolved?: boolean;
    };

export interface BuyReference {
  readonly party: BuyingParty;
  readonly mediaBuyId: string | null;
  readonly taskId: string | null;
}

/** A media buy as its seller shows it. */
export interface ShownBuy {
  readonly kind: 'buy';
  readonly mediaBuyId: string;
  /** Null where the seller gives none: then what it said before holds. */
  readonly status: string | null;
  readonly packages: readonly SellerPackage[];
  readonly total?: ShownTotal;
  readonly startTime?: string;
  readonly endTime?: string;
  /** Which of the two its seller shows as a day alone. */
  readonly asDays?: ShownTimes['asDays'];
  /** The fields that its seller, which lists it more than once, does not show alike: they are left out. */
  readonly listedApart?: readonly string[];
  /** What may be done with the buy now, in the words of AdCP. */
  readonly validActions?: readonly string[];
  readonly message?: string;
  readonly delivery?: Delivered;
  /** Why it told no figures when it was asked; null where its answer leaves them out. */
  readonly unreported?: string | null;
}

/** The state of a buy at the seller. */
export type BuyReport =
  | { readonly kind: 'task'; readonly status: string; readonly message?: string }
  | { readonly kind: 'refused'; readonly message: string }
  | ShownBuy;

export type DeliveryQuery = DeliveryAsked & Pick<BuyReference, 'party'> & Pick<SentUpdate, 'mediaBuyId'>;

/** The sellers, whichever protocol they speak. Every method ends with the signal and throws SellerError. */
export interface Sellers {
  /** The products as the seller sent them: data from outside, still to be checked. */
  getProducts(seller: Seller, query: ProductQuery, signal: AbortSignal): Promise<OfferedProducts>;
  createMediaBuy(seller: Seller, order: SentOrder, signal: AbortSignal): Promise<OrderAnswer>;
  getMediaBuy(seller: Seller, reference: BuyReference, signal: AbortSignal): Promise<BuyReport>;
  /** Undefined where the seller says nothing of it. */
  getDelivery(seller: Seller, query: DeliveryQuery, signal: AbortSignal): Promise<Delivered | undefined>;
  /** Changes a buy by its id at the seller. */
  updateMediaBuy(seller: Seller, change: SentUpdate, signal: AbortSignal): Promise<UpdateAnswer>;
  /** The state of a change that the seller took to decide on. */
  getUpdateTask(seller: Seller, task: TaskReference, signal: AbortSignal): Promise<UpdateReport>;
  /** What it declares of itself: what orders are judged by. */
  declaration(seller: Seller, signal: AbortSignal, now?: boolean): Promise<SellerDeclaration>;
  /** The same with what its tools can do: what changes are judged by. */
  abilities(seller: Seller, signal: AbortSignal): Promise<SellerAbilities>;
  /** The accounts that the seller lists; undefined where it has no way to. */
  listAccounts(seller: Seller, asked: AccountsAsked, signal: AbortSignal): Promise<AccountsTold | undefined>;
}

/** A seller did not answer, or not in the protocol. The message is bounded and may be shown. */
export class SellerError extends Error {
  readonly reason: IncompleteReason;
  /** True when the seller may have acted all the same. */
  readonly unresolved: boolean;
  /** True where it is the seller that said so: an answer came back. */
  readonly answered: boolean;
  /** True where the seller says that it has nothing by the id that was asked for. */
  readonly isNotThere: boolean;

  constructor(
    reason: IncompleteReason,
    message: string,
    facts: { unresolved?: boolean; answered?: boolean; isNotThere?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: facts.cause });
    this.name = 'SellerError';
    this.reason = reason;
    this.unresolved = facts.unresolved ?? false;
    this.isNotThere = facts.isNotThere ?? false;
    this.answered = facts.answered ?? (reason === 'invalid_response' || reason === 'auth_required');
  }
}
