/** Limits that tools keep, all from settings. */
export interface Limits {
  readonly sellerTimeoutMs: number;
  readonly discoveryTimeoutMs: number;
  readonly sellersAtOnce: number;
  /** Sellers of all sessions of a process that are silent beside those. */
  readonly sellersSilentAtOnce: number;
  /** A process that was not seen for this long is taken for dead. */
  readonly processLeaseMs: number;
  /** How long a person is waited for who was asked whether a call may go on. */
  readonly answerTimeoutMs: number;
  /** What should have ended so long ago, and did not, is taken over from a process that lives. */
  readonly takeoverAfterMs: number;
  /** After the end of a media buy, until it is over here whatever its seller says. */
  readonly endGraceMs: number;
  /** How often an order is taken over before it is left to a person. */
  readonly orderTakeovers: number;
  readonly quotas: Quotas;
  /** Codes of proposals that an account may try in an hour without having been given them. */
  readonly codeTriesPerHour: number;
  /** How long a change is answered again under its key. */
  readonly keysKeptMs: number;
  /** How long a spend waits for another person. */
  readonly approvalMs: number;
  /** Service tokens, in milliseconds: without an end, and over MCP at the most; and at the most of all. */
  readonly serviceTokenMs: number;
  readonly serviceTokenMaxMs: number;
}

/** How much one tenant may keep here, so that nobody takes the room of the others. */
export interface Quotas {
  readonly sourcesPerStorefront: number;
  readonly productsPerStorefront: number;
  /** Discovery sessions of an account that are still collecting. */
  readonly openSessions: number;
  /** Discovery sessions of an account in all. */
  readonly storedSessions: number;
  readonly productsPerSession: number;
  readonly bytesPerSession: number;
  /** Bytes that all discovery sessions of an account keep. */
  readonly bytesPerAccount: number;
  /** Bytes of products that one seller may bring to a session. */
  readonly bytesPerSeller: number;
  /** Products chosen in one session. */
  readonly choicesPerSession: number;
  /** Idempotency keys of an account. */
  readonly keysPerAccount: number;
  /** Bytes of an answer that is kept for a repeat. */
  readonly answerBytes: number;
  /** Bytes of all answers that are kept for the repeats of an account. */
  readonly answerBytesPerAccount: number;
  readonly proposalsPerStorefront: number;
  /** Bytes of the plan and the products that one of them keeps. */
  readonly bytesPerProposal: number;
  /** Accounts at sellers of one advertiser. */
  readonly linksPerAdvertiser: number;
  /** Webhook subscriptions of an account. */
  readonly subscriptionsPerAccount: number;
  /** Accounts below the organization at the top, however deep. */
  readonly accountsPerOrganization: number;
  /** Live API keys of an organization. */
  readonly apiKeysPerOrganization: number;
  readonly applicationsPerOrganization: number;
  /** Live secrets of one application. */
  readonly secretsPerApplication: number;
  readonly originsPerOrganization: number;
  readonly advertisersPerAccount: number;
  readonly brandsPerOrganization: number;
  readonly joinLinksPerAccount: number;
  readonly domainsPerOrganization: number;
  readonly serviceTokensPerOrganization: number;
  /** Invitations that an organization, with the accounts below it, has mailed in a day. */
  readonly invitationsPerDay: number;
  /** Earlier versions of a media buy, and of them those that its seller alone made. */
  readonly versionsPerBuy: number;
  readonly sellerVersionsPerBuy: number;
}
