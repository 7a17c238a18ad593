import type { Carrier, Message } from '../../../tools/core/ports.ts';

export interface RecordedMail extends Carrier {
  readonly sent: Message[];
  /** The next mail to an address beyond those of it that were taken before; waits until it is sent. */
  next(to: string): Promise<Message>;
}

/** Keeps what is sent, for tests to read. */
export function recordingMail(): RecordedMail {
  const sent: Message[] = [];
  const taken = new Map<string, number>();
  const waiting = new Set<() => void>();
  const take = (to: string): Message | undefined => {
    const count = taken.get(to) ?? 0;
    const found = sent.filter((message) => message.to === to)[count];
    if (found !== undefined) taken.set(to, count + 1);
    return found;
  };
  return {
    sent,
    send: async (message) => {
      sent.push(message);
      for (const look of [...waiting]) look();
    },
    next: (to) =>
      new Promise((resolve) => {
        const look = () => {
          const found = take(to);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** The address that a mail leads to. */
export function linkIn({ text }: Message): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error(`No link in: ${text}`);
  return link;
}
