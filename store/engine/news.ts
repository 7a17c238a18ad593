/**
 * Word that goes from process to process beside the tables. Short, unordered against what is committed, and lost
 * without harm: whoever waits for it looks for itself where none can come.
 */
export interface News {
  /** True while word from other processes comes in. */
  readonly isUp: boolean;
  /** At most `NEWS_MAX_BYTES`; dropped while it is not up. Every process hears it, this one as well. */
  send(text: string): void;
  close(): Promise<void>;
}

export interface Ear {
  heard(text: string): void;
  /** It came up or broke off: word may have been missed. */
  turned(): void;
}

export const NEWS_MAX_BYTES = 7_500;

/** What the processes of one database speak in. */
export const NEWS_CHANNEL = 'rialto';

/** The topic that the database itself announces when it is changed who may reach what. */
export const ACCESS_TOPIC = 'access';

/** Word for those who wait for these topics. */
export function wakeText(topics: readonly string[]): string {
  return JSON.stringify({ kind: 'wake', items: topics });
}
