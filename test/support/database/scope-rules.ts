import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  DeleteQueryNode,
  IdentifierNode,
  InsertQueryNode,
  type JoinNode,
  MergeQueryNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  ValueNode,
} from 'kysely';
import { tenantTables } from './tenant-tables.ts';

const SCOPE = 'organization_id';
const tenants: ReadonlySet<string> = new Set(tenantTables);
const TENANT_IN_TEXT = new RegExp(`\\b(${tenantTables.join('|')})\\b`);

type Query = SelectQueryNode | UpdateQueryNode | DeleteQueryNode | InsertQueryNode;

interface Source {
  readonly table: string;
  readonly alias: string;
}

/** `organization_id` of one table compared with a value (`with` is absent) or with that of another table. */
interface Comparison {
  readonly alias: string;
  readonly with?: string;
}

/** Every table that a node names where rows come from or go to. */
export function tablesOf(node: OperationNode): string[] {
  return tablesIn(node).named;
}

interface Tables {
  /** Where rows come from or go to. */
  readonly named: string[];
  /**
   * The tenants' tables that are read or written without saying whose rows are meant. Each table has to have
   * its own `organization_id` compared by `=`, and in a place that no OR or NOT can go round: with a value, or
   * with the `organization_id` of a table that is held to one.
   */
  readonly unscoped: string[];
}

/** Both in one walk: every query of the suite comes by here, node by node. */
export function tablesIn(node: OperationNode): Tables {
  const tables: Tables = { named: [], unscoped: [] };
  walk(node, NOBODY, tables);
  return tables;
}

const NOBODY: ReadonlySet<string> = new Set();

function walk(node: OperationNode, outer: ReadonlySet<string>, tables: Tables): void {
  if (TableNode.is(node)) tables.named.push(nameOf(node));
  if (RawNode.is(node)) tables.unscoped.push(...tenantsInRaw(node));
  if (MergeQueryNode.is(node)) walkMerge(node, tables);
  else if (isQuery(node)) walkQuery(node, outer, tables);
  else inside(node, outer, tables);
}

/** No rule tells whose rows it means: it may not name a tenant's table at all. */
function walkMerge(node: MergeQueryNode, tables: Tables): void {
  const merged: Tables = { named: [], unscoped: [] };
  inside(node, NOBODY, merged);
  tables.named.push(...merged.named);
  tables.unscoped.push(...merged.named.filter((table) => tenants.has(table)));
}

function walkQuery(query: Query, outer: ReadonlySet<string>, tables: Tables): void {
  const sources = sourcesOf(query);
  const scoped = scopedAliases(query, sources, outer);
  for (const { table, alias } of sources) {
    if (tenants.has(table) && !scoped.has(alias)) tables.unscoped.push(table);
  }
  tables.unscoped.push(...looseInsert(query));
  inside(query, scoped, tables);
}

function isQuery(node: OperationNode): node is Query {
  return (
    SelectQueryNode.is(node) ||
    UpdateQueryNode.is(node) ||
    DeleteQueryNode.is(node) ||
    InsertQueryNode.is(node)
  );
}

/** They name no table. What a value holds is data. */
const LEAVES: ReadonlySet<string> = new Set<OperationNode['kind']>([
  'ColumnNode',
  'IdentifierNode',
  'OperatorNode',
  'PrimitiveValueListNode',
  'ValueNode',
]);

/** Walks the nodes right below a node. */
function inside(node: OperationNode, scoped: ReadonlySet<string>, tables: Tables): void {
  if (LEAVES.has(node.kind)) return;
  for (const value of Object.values(node)) {
    if (typeof value === 'object') insideValue(value, scoped, tables);
  }
}

function insideValue(value: unknown, scoped: ReadonlySet<string>, tables: Tables): void {
  if (Array.isArray(value)) for (const one of value) insideValue(one, scoped, tables);
  else if (isNode(value)) walk(value, scoped, tables);
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}

function nameOf(node: TableNode): string {
  return node.table.identifier.name;
}

/** The tables of this query itself, under the names it calls them by. An insert has none to restrict. */
function sourcesOf(query: Query): Source[] {
  if (InsertQueryNode.is(query)) return [];
  const places: OperationNode[] = [
    ...(UpdateQueryNode.is(query) ? [query.table].filter(isNode) : []),
    ...(query.from?.froms ?? []),
    ...(DeleteQueryNode.is(query) ? (query.using?.tables ?? []) : []),
    ...(query.joins ?? []).map(({ table }) => table),
  ];
  return places.flatMap((place) => sourceOf(place) ?? []);
}

function sourceOf(place: OperationNode): Source | undefined {
  if (TableNode.is(place)) return { table: nameOf(place), alias: nameOf(place) };
  if (!AliasNode.is(place) || !TableNode.is(place.node)) return undefined;
  const alias = IdentifierNode.is(place.alias) ? place.alias.name : nameOf(place.node);
  return { table: nameOf(place.node), alias };
}

/** The tables that are held to an organization: those of the queries around it, and by its own conditions. */
function scopedAliases(
  query: Query,
  sources: readonly Source[],
  outer: ReadonlySet<string>,
): ReadonlySet<string> {
  const own = new Set(sources.map(({ alias }) => alias));
  const scoped = new Set([...outer].filter((alias) => !own.has(alias)));
  const comparisons = comparisonsOf(query, sources);
  for (let before = -1; before !== scoped.size; ) {
    before = scoped.size;
    for (const { alias, with: other } of comparisons) {
      if (other === undefined || scoped.has(other)) scoped.add(alias);
    }
  }
  return scoped;
}

function comparisonsOf(query: Query, sources: readonly Source[]): Comparison[] {
  if (InsertQueryNode.is(query)) return [];
  const joined = (query.joins ?? []).flatMap((join) => comparisonsOfJoin(join, sources));
  return [...comparisonsIn(query.where?.where, sources), ...joined];
}

/** A left join restricts the table it brings and no other; a right or a full join restricts none. */
function comparisonsOfJoin(join: JoinNode, sources: readonly Source[]): Comparison[] {
  const found = comparisonsIn(join.on?.on, sources);
  if (join.joinType === 'InnerJoin') return found;
  const brought = sourceOf(join.table)?.alias;
  return join.joinType === 'LeftJoin' ? found.filter(({ alias }) => alias === brought) : [];
}

function comparisonsIn(condition: OperationNode | undefined, sources: readonly Source[]): Comparison[] {
  if (condition === undefined) return [];
  if (ParensNode.is(condition)) return comparisonsIn(condition.node, sources);
  if (AndNode.is(condition)) {
    return [...comparisonsIn(condition.left, sources), ...comparisonsIn(condition.right, sources)];
  }
  if (!BinaryOperationNode.is(condition) || !isEquals(condition.operator)) return [];
  const { leftOperand, rightOperand } = condition;
  return [
    ...comparison(leftOperand, rightOperand, sources),
    ...comparison(rightOperand, leftOperand, sources),
  ];
}

function isEquals(operator: OperationNode): boolean {
  return OperatorNode.is(operator) && operator.operator === '=';
}

function comparison(one: OperationNode, other: OperationNode, sources: readonly Source[]): Comparison[] {
  const alias = ownerOf(one, sources);
  if (alias === undefined) return [];
  if (ValueNode.is(other)) return [{ alias }];
  const counterpart = ownerOf(other, sources);
  return counterpart === undefined || counterpart === alias ? [] : [{ alias, with: counterpart }];
}

/** Whose `organization_id` a reference means. Without a table it is that of the only tenant's table there. */
function ownerOf(node: OperationNode, sources: readonly Source[]): string | undefined {
  if (!ReferenceNode.is(node) || !('column' in node.column)) return undefined;
  const { column } = node.column;
  if (!IdentifierNode.is(column) || column.name !== SCOPE) return undefined;
  if (node.table !== undefined) return nameOf(node.table);
  const owners = sources.filter(({ table }) => tenants.has(table));
  return owners.length === 1 ? owners[0]?.alias : undefined;
}

/** An insert names the column; where it may meet a row that is there, that row has to be the tenant's too. */
function looseInsert(query: Query): string[] {
  if (!InsertQueryNode.is(query) || query.into === undefined) return [];
  const table = nameOf(query.into);
  if (!tenants.has(table)) return [];
  const names = (columns: InsertQueryNode['columns']) => (columns ?? []).map(({ column }) => column.name);
  if (!names(query.columns).includes(SCOPE)) return [table];
  const { onConflict } = query;
  if (onConflict?.updates === undefined || names(onConflict.columns).includes(SCOPE)) return [];
  const held = comparisonsIn(onConflict.updateWhere?.where, [{ table, alias: table }]);
  return held.some((one) => one.alias === table && one.with === undefined) ? [] : [table];
}

/** SQL as text cannot be checked: it may not name a tenant's table at all. */
function tenantsInRaw(node: RawNode): string[] {
  const [inText] = TENANT_IN_TEXT.exec(node.sqlFragments.join(' ')) ?? [];
  const named = node.parameters.flatMap((parameter) => {
    if (TableNode.is(parameter)) return nameOf(parameter);
    return IdentifierNode.is(parameter) ? parameter.name : [];
  });
  return [...(inText === undefined ? [] : [inText]), ...named.filter((name) => tenants.has(name))];
}
