import type { Permission } from '../../../store/api-keys.ts';
import type { Counted, Page } from '../../../store/engine/paging.ts';
import type { Actor } from '../../core/context.ts';

declare module '../../core/ports.ts' {
  interface Ports {
    readonly credentials: CredentialProvider;
  }
}

/** An organization API key as it is shown: never with its value. Moments are UTC, ISO 8601. */
export interface OrganizationKey {
  readonly id: string;
  readonly organizationId: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Its prefix and its last characters. */
  readonly obfuscatedValue: string;
  readonly createdByUserId: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}

export interface WantedKey {
  readonly organizationId: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly createdByUserId: number | null;
  /** The account in whose log it stands, where there is one. */
  readonly loggedIn: number | null;
}

/** A key that is to end, with the name that the log tells it by. */
export interface EndedKey extends Pick<OrganizationKey, 'organizationId' | 'id' | 'name'> {
  readonly loggedIn: number | null;
}

/** A person in an organization, at a browser. */
export interface WidgetUser {
  readonly organizationId: number;
  readonly userId: number;
  readonly sessionId: string;
}

export interface WidgetToken {
  readonly token: string;
  readonly expiresAt: string;
}

/**
 * Who keeps organization API keys (interface, Authentication rule 2): it makes, stores, masks and ends them. What
 * a key may do here, and whether its organization may do it, is decided here. A change writes its own audit entry
 * through the actor, as a service elsewhere must not be waited for within a transaction.
 */
export interface CredentialProvider {
  /** A new key with its value, which is told this once. CONFLICT where the organization has as many as it may. */
  create(actor: Actor, wanted: WantedKey): Promise<{ key: OrganizationKey; value: string }>;
  /** A page of the keys of an organization that nobody ended, newest first. */
  list(actor: Actor, organizationId: number, page: Page): Promise<Counted<OrganizationKey>>;
  /** One of them. */
  find(
    actor: Actor,
    key: { readonly organizationId: number; readonly id: string },
  ): Promise<OrganizationKey | undefined>;
  /** Ends a key and says when. NOT_FOUND for one that is not the organization's. */
  revoke(actor: Actor, key: EndedKey): Promise<string>;
  /** A token for the page on which a person manages the keys. */
  widgetToken(user: WidgetUser): Promise<WidgetToken>;
  /** The live key of a value, null where it is none. Absent where keys are rows of ours, known without asking. */
  validate?(value: string): Promise<OrganizationKey | null>;
}

/** What a widget token opens, in the words of its claim. */
export const WIDGET_SCOPE = 'widgets:api-keys:manage';

/** For whom widget tokens are. */
export function widgetAudience(brand: string): string {
  return `${brand}-widget`;
}
