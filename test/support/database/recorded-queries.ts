import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  PostgresQueryCompiler,
  type RootOperationNode,
} from 'kysely';
import type { Store, StoreOptions } from '../../../store/engine/db.ts';
import { SqliteCompiler } from '../../../store/engine/sqlite-compiler.ts';
import { engine } from './database.ts';
import { ScopeGuard } from './scope-guard.ts';

export interface RecordedQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface QueryRecorder {
  /** For opening the store with. */
  readonly options: StoreOptions;
  /** The SQL of every query that was built under the guard. */
  readonly guarded: ReadonlySet<string>;
  /** Every query that was run, with its arguments, in order. */
  readonly ran: readonly RecordedQuery[];
  readonly guard: ScopeGuard;
  /** Also notes what the database answers in place, which passes by the log of the queries. */
  watch(store: Store): void;
}

export function recordQueries(): QueryRecorder {
  const compiler = engine === 'postgres' ? new PostgresQueryCompiler() : new SqliteCompiler();
  const guarded = new Set<string>();
  const ran: RecordedQuery[] = [];
  const guard = new ScopeGuard();
  const note = ({ sql, parameters }: RecordedQuery) => ran.push({ sql, parameters });
  const notes: KyselyPlugin = {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs): RootOperationNode => {
      guarded.add(compiler.compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    options: { plugins: [guard, notes], log: ({ query }) => note(query) },
    guarded,
    ran,
    guard,
    watch: ({ db }) => {
      const adapter: object & { executeNow?: (query: RecordedQuery, inTransaction: boolean) => unknown } =
        db.getExecutor().adapter;
      const answer = adapter.executeNow?.bind(adapter);
      if (answer === undefined) return;
      adapter.executeNow = (query, inTransaction) => {
        const answered = answer(query, inTransaction);
        if (answered !== undefined) note(query);
        return answered;
      };
    },
  };
}
