import type { KyselyPlugin, PluginTransformQueryArgs, RootOperationNode } from 'kysely';
import { tablesIn } from './scope-rules.ts';

/**
 * Refuses a query on a tenant's table that does not say whose rows it means. Every test server runs with it,
 * so that the whole suite is the proof.
 */
export class ScopeGuard implements KyselyPlugin {
  /** The tables of the queries that passed. */
  readonly seen = new Set<string>();

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    const { named, unscoped } = tablesIn(node);
    for (const table of unscoped) {
      throw new Error(`A ${node.kind} reads or writes ${table} without its organization.`);
    }
    for (const table of named) this.seen.add(table);
    return node;
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result;
  }
}
