import { z } from 'zod';
import type { Store } from '../../store/engine/db.ts';
import { NEWS_MAX_BYTES, type News } from '../../store/engine/news.ts';

/** What processes tell one another: topics to wake for, how often callers called, what sessions of MCP came to. */
type Kind = 'wake' | 'counts' | 'sessions';

/** Between the processes of one database: many small things in few words. */
export interface Link {
  /** True while the others can be heard. */
  readonly isUp: boolean;
  tell(kind: Kind, items: readonly string[]): void;
  hear(kind: Kind, heard: (items: readonly string[]) => void): void;
  /** Tells when the others can be heard again, or no more: something may have been missed. */
  onTurn(turned: () => void): void;
  close(): Promise<void>;
}

const message = z.object({
  kind: z.enum(['wake', 'counts', 'sessions']),
  items: z.array(z.string()),
  from: z.string().optional(),
});

/** Undefined where one process alone serves the database. */
export function createLink({ engine }: Store, processId: string): Link | undefined {
  const ears = new Map<Kind, (items: readonly string[]) => void>();
  const turns: (() => void)[] = [];
  const news: News | undefined = engine.news?.({
    heard: (text) => {
      const { kind, items, from } = read(text);
      if (kind !== undefined && from !== processId) ears.get(kind)?.(items);
    },
    turned: () => {
      for (const turned of turns) turned();
    },
  });
  if (news === undefined) return undefined;
  return {
    get isUp() {
      return news.isUp;
    },
    tell: (kind, items) => {
      for (const part of partsOf(items)) news.send(JSON.stringify({ kind, from: processId, items: part }));
    },
    hear: (kind, heard) => void ears.set(kind, heard),
    onTurn: (turned) => void turns.push(turned),
    close: () => news.close(),
  };
}

/** Whoever may write to the database may speak here: what is not ours is passed over. */
function read(text: string): Partial<z.output<typeof message>> & { items: readonly string[] } {
  try {
    return message.parse(JSON.parse(text));
  } catch {
    return { items: [] };
  }
}

/** For the kind, the id of the process and the signs around them. */
const FRAME_BYTES = 200;

/** As many items together as fit into one word. */
function partsOf(items: readonly string[]): string[][] {
  const parts: string[][] = [];
  let left = 0;
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (left < bytes) {
      parts.push([]);
      left = NEWS_MAX_BYTES - FRAME_BYTES;
    }
    parts.at(-1)?.push(item);
    left -= bytes;
  }
  return parts;
}
