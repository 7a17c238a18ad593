import type { PackageUpdate } from './abilities.ts';
import type { BuyingParty, BuyReport, OrderAnswer, OrderPackage } from './port.ts';
import type { SellerPackage } from './seller-package.ts';

/** A change of a media buy on its way to the seller, and what the seller says of it. */

/** A change of a buy as it is kept and sent: a repeat under the same key sends the same bytes. */
export interface BuyUpdate {
  readonly party: BuyingParty;
  readonly idempotencyKey: string;
  /** The revision that the change was made on, where the seller is to hold it against its own. */
  readonly revision?: number;
  readonly paused?: boolean;
  readonly canceled?: true;
  readonly cancellationReason?: string;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly packages?: readonly PackageUpdate[];
  readonly newPackages?: readonly OrderPackage[];
  /** With new ones: those that there were, which no seller is told. */
  readonly knownPackages?: readonly string[];
  /** How many of them went on, in changes that were stored before their ids were kept. */
  readonly packagesBefore?: number;
}

export interface SentUpdate {
  readonly mediaBuyId: string;
  readonly update: BuyUpdate;
  /** An earlier sending may have added its packages, and the buy is not shown: who keeps no keys is not asked. */
  readonly unseen?: true;
}

export interface TaskReference {
  readonly party: BuyingParty;
  readonly taskId: string;
}

/** What a seller says of a change. */
export type UpdateAnswer =
  | {
      readonly kind: 'accepted';
      /** Of the buy, after the change; null where the seller does not say. */
      readonly status: string | null;
      readonly packages: readonly SellerPackage[];
      /** True where somebody at the seller has to approve it first; `task` is the state of a task for it. */
      readonly awaitsApproval?: boolean;
      readonly task?: string;
      readonly message?: string;
    }
  | Extract<OrderAnswer, { kind: 'submitted' }>
  | (Extract<OrderAnswer, { kind: 'refused' }> & {
      /** True where it names the buy as a change does that was carried out: how the buy reads decides. */
      readonly isNamed?: boolean;
    });

/** What became of such a change so far. */
export type UpdateReport =
  | Extract<BuyReport, { kind: 'task' | 'refused' }>
  | { readonly kind: 'done'; readonly message?: string };
