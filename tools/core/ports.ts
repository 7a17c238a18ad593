import type { Sealed } from '../../store/engine/codec.ts';

/**
 * The outside world, as the tools see it. The adapters implement it; tests put others in its place. Business
 * adds ports of its own where it needs them (`domain/sellers/port.ts`).
 */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly digest: Digest;
  readonly wake: Wake;
  readonly background: Background;
  readonly keys: KeyMaker;
  readonly receivers: Receivers;
  readonly tokens: Tokens;
  readonly mail: Mail;
  readonly tally: Tally;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, after so many milliseconds; gives the way to call it off. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface Ids {
  /** A new id: the prefix and letters and digits that cannot be guessed. */
  make(prefix: string): string;
}

/** A short fingerprint of a text: equal texts, equal fingerprints. */
export type Digest = (text: string) => string;

export interface Secrets {
  /** Ids of the keys that open something, the one that encrypts first. An id tells nothing of its key. */
  readonly keyIds: readonly [string, ...string[]];
  /** Encrypts for one row: the text opens only under the same `owner`. */
  seal(plain: string, owner: string): Sealed;
  /** Refuses as unavailable what no key opens that is here. */
  open(sealed: Sealed, owner: string): string;
  /** What a text that is encrypted is found by; who does not have the key cannot make it of a guess. */
  fingerprint(plain: string, purpose: string): string;
  /** The same by each key, the newest first: for looking one up. */
  fingerprints(plain: string, purpose: string): readonly string[];
}

/** Tells whoever listens that rows have changed. Losing a signal loses time, never data. */
export interface Wake {
  signal(topic: string): void;
  /** Listens from now on: what is signalled before `next` is called is not lost. */
  listen(topic: string): Listener;
}

export interface Listener {
  /**
   * Resolves at a signal since the last call, or after so many milliseconds, or when told to stop. False when
   * nothing was signalled, and would have been heard.
   */
  next(milliseconds: number, stop: AbortSignal): Promise<boolean>;
  /** Whether something was signalled since it was last asked, without waiting. */
  take(): boolean;
  close(): void;
}

/** Work that outlives the call that began it. */
export interface Background {
  /** Runs it; a graceful stop waits for it, and aborts `stop` when waiting is over. */
  run(name: string, work: (stop: AbortSignal) => Promise<void>): void;
}

/** Makes the values of organization API keys, and of secrets that sign. */
export interface KeyMaker {
  make(environment: 'live' | 'test'): NewKey;
  /** A secret to sign with: 256 random bits in the letters of base64url, behind a prefix. */
  signingSecret(): string;
  /** A secret that is shown by whoever was given it: 256 random bits behind a prefix. */
  secret(): NewSecret;
}

export interface NewSecret {
  /** The secret itself: shown once, kept nowhere. */
  readonly value: string;
  readonly hash: string;
  /** Its last four characters. */
  readonly hint: string;
}

export interface NewKey {
  /** The key itself: shown once, kept nowhere. */
  readonly value: string;
  /** What is stored of it. */
  readonly hash: string;
  /** How lists show it. */
  readonly obfuscated: string;
}

/** Who may receive webhooks, as the settings have it. */
export interface Receivers {
  /** False for a URL with a private or special address, or with a name of this machine, that is not opened. */
  isOpen(url: string): boolean;
}

/** What a token is for. One of a kind is never taken for one of another (RFC 8725, section 3.11). */
export type TokenType = 'at+jwt' | 'agent-assertion+jwt' | 'widget+jwt';

export interface NewToken {
  readonly type: TokenType;
  readonly audience: string | string[];
  readonly subject: string;
  readonly seconds: number;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What a token of this installation says, beside claims of its kind. Times in seconds since 1970. */
export interface TokenClaims {
  readonly jti: string;
  readonly sub: string;
  readonly aud: string | string[];
  readonly iat: number;
  readonly exp: number;
  readonly [claim: string]: unknown;
}

/** Signs and checks the tokens of this installation (JWT, RFC 7519), with keys that every process shares. */
export interface Tokens {
  sign(wanted: NewToken): Promise<string>;
  /** What a token of ours says; null for any other, an expired one, and one of another type. */
  verify(token: string, type: TokenType): Promise<TokenClaims | null>;
}

/** A mail to a person, in plain text. */
export interface Message {
  /** One address, checked already. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What a mail is about. Each kind is counted by itself: what strangers ask for keeps no other from its reader. */
export type MailKind =
  | 'sign_up'
  | 'reset'
  | 'verify'
  | 'new_address'
  | 'invitation'
  | 'password_changed'
  | 'address_changed';

/** Mail to people: none goes out uncounted. */
export interface Mail {
  /**
   * Counts a mail to an address, checked already, and of an organization where it is one's. RATE_LIMITED where as many
   * of its kind went there as may.
   */
  to(address: string, kind: MailKind, sender?: number): Letter;
}

/** A mail that may go. */
export interface Letter {
  /** Resolves once the mail has been handed over; rejects where that cannot be done. */
  send(text: Omit<Message, 'to'>): Promise<void>;
}

/** Hands mails over, to a server or into a folder. */
export interface Carrier {
  /** Resolves once the mail has been handed over; rejects where that cannot be done. */
  send(message: Message): Promise<void>;
}

/** Counts for whoever runs the service. A count never fails, waits or says whose it is. */
export interface Tally {
  /** A capability or stream was called: `ok`, or the code of the error; over MCP where a server of it was. */
  call(tool: string, outcome: string, server: object | undefined): void;
  /** An event had its attempt: `delivered`, or why not. */
  delivery(outcome: string): void;
  /** There is a limit of this name. */
  limit(name: string): void;
  /** Something was refused at it. */
  limited(name: string): void;
  /** Work that costs much was refused, because the process was behind. */
  shed(work: string): void;
  /** A credential of this kind was refused. */
  authFailed(kind: string): void;
}
