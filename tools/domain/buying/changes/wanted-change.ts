import type { CampaignRow, PacingPeriods } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import type { ChangeAction, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { BuyGoal } from '../../../../store/media-buy-goals.ts';
import type { Pacing } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AppError, Issue } from '../../../core/errors/app-error.ts';
import type { AddedPart } from '../../campaigns/added-periods.ts';
import type { BuyUpdate } from '../../sellers/buy-update.ts';
import type { Unsupported } from './change-capabilities.ts';
import type { WantedPackage } from './change-packages.ts';
import type { AnotherMajor } from './other-majors.ts';

/** What is wanted of a media buy, and what that comes to. */

/** A wanted change of one buy, as the contract's mediaBuys[] entries say it, valid in shape. */
export interface WantedChange {
  readonly mediaBuyId: string;
  readonly action: ChangeAction;
  /** Why: told to the seller when it is a cancel, and kept with the version. */
  readonly reason?: string | undefined;
  readonly suggestionId?: string | undefined;
  readonly name?: string | undefined;
  /** A moment, or `asap`. */
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  /** With cancel: these packages only. */
  readonly packageIds?: readonly string[] | undefined;
  readonly packages?: readonly WantedPackage[] | undefined;
  readonly products?: readonly WantedProduct[] | undefined;
  /** Null: those of the campaign. */
  readonly pacingPeriods?: PacingPeriods | null | undefined;
  /** Periods that its campaign has from now on beside those it was ordered with: nothing else is wanted then. */
  readonly added?: AddedToBuy | undefined;
  /** None: those of the campaign. */
  readonly goals?: readonly BuyGoal[] | undefined;
  /** Made of the three before, where no seller holds the order. */
  readonly remade?: Remade | undefined;
  /** The version that the change was made on, as version_hash shows it. */
  readonly versionHash?: string | undefined;
  /** What the caller calls a field of it: the field is named as in the entries of `mediaBuys`. */
  readonly called: (field: string) => string;
}

/** Periods of a campaign, and what one of its media buys gets of those that its order lacks. */
export interface AddedToBuy {
  readonly pacing: PacingPeriods;
  readonly parts: readonly AddedPart[];
}

/** A product of an order that no seller holds, as it is to be. */
export interface WantedProduct {
  readonly productId: string;
  readonly pricingOptionId?: string | undefined;
  /** Major units. */
  readonly budget?: number | undefined;
  readonly pacing?: Pacing | undefined;
  /** Null: none. */
  readonly bidPrice?: number | null | undefined;
  readonly remove?: boolean | undefined;
}

/** The order that a change comes to where no seller holds one, and what stands against it. */
export interface Remade {
  readonly problems: readonly AppError[];
  /** Its goals that its products do not declare. */
  readonly undeclared?: readonly Unsupported[];
  /** Its seller, where that declares another major version of AdCP alone. */
  readonly anotherMajor?: readonly AnotherMajor[];
  readonly columns: Partial<MediaBuyRow>;
  /** What is chosen of its seller in the discovery session from now on. */
  readonly choice:
    | {
        readonly sessionId: string;
        readonly agentId: string;
        readonly put: readonly Omit<DiscoverySelectionRow, 'id' | 'organization_id'>[];
        readonly removed: readonly string[];
      }
    | undefined;
}

/** The flight that a buy runs within. */
export interface Flight {
  readonly start_at: string;
  readonly end_at: string;
  readonly daily_cap_minor?: number | null;
  readonly pacing_periods?: CampaignRow['pacing_periods'];
  /** Where its campaign has to stay. */
  readonly constraints?: CampaignRow['constraints'];
}

export type Asked = Omit<BuyUpdate, 'party' | 'idempotencyKey'>;

export interface Terms {
  readonly asked: Asked;
  readonly proposed: ProposedBuy;
  readonly issues: readonly Issue[];
}
