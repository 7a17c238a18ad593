import {
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type RootOperationNode,
} from 'kysely';
import { tenantTables } from '../../store/schema.ts';

const tenants: ReadonlySet<string> = new Set(tenantTables);

/** What reads and writes rows. Everything else makes tables. */
const ROWS: ReadonlySet<string> = new Set([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
]);

/**
 * Refuses a query on a tenant's table that does not say whose rows it means: selects, updates and deletes
 * need `organization_id` compared with a value or with another table's, inserts need the column. Every test
 * server runs with it, so that the whole suite is the proof.
 */
export class ScopeGuard implements KyselyPlugin {
  readonly seen = new Set<string>();

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    for (const table of unscopedTables(node)) {
      throw new Error(`A ${node.kind} reads or writes ${table} without its organization.`);
    }
    for (const table of tablesOf(node)) this.seen.add(table);
    return node;
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result;
  }
}

function unscopedTables(node: RootOperationNode): string[] {
  if (!ROWS.has(node.kind)) return [];
  const touched = tablesOf(node).filter((table) => tenants.has(table));
  if (touched.length === 0) return [];
  if (node.kind === 'InsertQueryNode') {
    const columns = (node.columns ?? []).map((column) => column.column.name);
    return columns.includes('organization_id') ? [] : touched;
  }
  const scoped = comparisonsWith(node, 'organization_id');
  // One comparison a table: joined tables are scoped by comparing their organizations.
  return touched.filter((_, index) => index >= scoped);
}

/** The tables that a query names in from, join, into, update or delete. */
function tablesOf(node: OperationNode): string[] {
  const collector = new Collector();
  collector.transformNode(node);
  return [...collector.tables];
}

function comparisonsWith(node: OperationNode, column: string): number {
  const collector = new Collector();
  collector.transformNode(node);
  return collector.compared.filter((name) => name === column).length;
}

class Collector extends OperationNodeTransformer {
  readonly tables = new Set<string>();
  readonly compared: string[] = [];

  protected override transformNodeImpl<T extends OperationNode>(node: T, queryId?: never): T {
    this.#note(node);
    return super.transformNodeImpl(node, queryId);
  }

  #note(node: OperationNode): void {
    if (node.kind === 'SchemableIdentifierNode' && 'identifier' in node) {
      const { identifier } = node as OperationNode & { identifier: { name: string } };
      this.tables.add(identifier.name);
    }
    if (node.kind === 'BinaryOperationNode') {
      const { leftOperand } = node as OperationNode & { leftOperand: OperationNode };
      const name = columnName(leftOperand);
      if (name !== undefined) this.compared.push(name);
    }
  }
}

function columnName(node: OperationNode): string | undefined {
  if (node.kind !== 'ReferenceNode') return undefined;
  const { column } = node as OperationNode & { column: { column?: { name: string } } };
  return column.column?.name;
}
