import type { IncompleteReason } from '../../../store/discovery-sessions.ts';
import type { Asked } from '../opening.ts';

declare module '../../core/ports.ts' {
  interface Ports {
    readonly sellers: Sellers;
  }
}

/** A seller that can be asked: a source behind a storefront. */
export interface Seller {
  readonly agentId: string;
  readonly agentName: string;
  readonly storefrontId: number;
  readonly storefrontName: string;
  readonly source: SellerSource;
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
  readonly auth: string | null;
}

/** For whom a seller is asked. */
export interface BuyingParty {
  /** The advertiser's brand, a domain. */
  readonly brand: string;
  /** The domain of the organization that operates the account. */
  readonly operator: string;
  readonly sandbox: boolean;
}

export interface ProductQuery extends Asked {
  readonly party: BuyingParty;
  readonly budget?: { readonly max: number; readonly currency: string } | undefined;
  /** How long the buyer waits, in seconds: passed on, so that a seller can answer with what it has. */
  readonly timeBudgetSeconds: number;
}

export interface OrderPackage {
  readonly product_id: string;
  readonly pricing_option_id: string;
  /** Major units. */
  readonly budget: number;
  readonly bid_price?: number;
  readonly pacing?: 'even' | 'asap' | 'front_loaded';
  readonly format_ids?: readonly { readonly agent_url: string; readonly id: string }[];
  readonly targeting_overlay?: { readonly geo_countries?: readonly string[] };
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

/** What a seller says of a media buy. Fields beyond these stay with the seller. */
export type OrderAnswer =
  | {
      readonly kind: 'accepted';
      readonly mediaBuyId: string;
      readonly status: string;
      readonly packages: readonly SellerPackage[];
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

export interface SellerPackage {
  readonly package_id: string;
  readonly product_id: string | null;
  readonly budget: number | null;
}

export interface BuyReference {
  readonly party: BuyingParty;
  readonly mediaBuyId: string | null;
  readonly taskId: string | null;
}

/** The state of a buy at the seller. */
export type BuyReport =
  | { readonly kind: 'task'; readonly status: string; readonly message?: string }
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'buy';
      readonly mediaBuyId: string;
      /** Null where the seller gives none: then what it said before holds. */
      readonly status: string | null;
      readonly packages: readonly SellerPackage[];
      readonly message?: string;
      readonly delivery?: { readonly impressions: number; readonly spend: number; readonly clicks: number };
    };

/** The products as a seller sent them, as many as are taken. */
export interface OfferedProducts extends ReadonlyArray<unknown> {
  /** Those beyond: counted, not read. */
  readonly leftOut?: number;
  /** How many of its products the seller itself left out, by what was asked for. */
  readonly hidden?: Readonly<Partial<Record<LeftOut, number>>>;
  /** False where the seller says that nothing it has fits the brief, and sends what it has all the same. */
  readonly briefMatched?: boolean;
}

/** What leaves products out of an answer. */
export type LeftOut = 'channels' | 'countries' | 'publisherDomain' | 'pricingModel';

/** The sellers, whichever protocol they speak. Every method ends with the signal and throws SellerError. */
export interface Sellers {
  /** The products as the seller sent them: data from outside, still to be checked. */
  getProducts(seller: Seller, query: ProductQuery, signal: AbortSignal): Promise<OfferedProducts>;
  createMediaBuy(seller: Seller, order: Order, signal: AbortSignal): Promise<OrderAnswer>;
  getMediaBuy(seller: Seller, reference: BuyReference, signal: AbortSignal): Promise<BuyReport>;
}

/** A seller did not answer, or not in the protocol. The message is bounded and may be shown. */
export class SellerError extends Error {
  readonly reason: IncompleteReason;
  /** True when the seller may have acted all the same. */
  readonly unresolved: boolean;

  constructor(
    reason: IncompleteReason,
    message: string,
    facts: { unresolved?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: facts.cause });
    this.name = 'SellerError';
    this.reason = reason;
    this.unresolved = facts.unresolved ?? false;
  }
}
