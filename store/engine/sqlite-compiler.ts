import { type LimitNode, type OffsetNode, SqliteQueryCompiler } from 'kysely';

/**
 * SQLite plans a statement anew each time it is run when a bound value may change its plan, and takes a bare LIMIT
 * for such a value: that costs several times what the query does. A sum it does not look into.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }

  protected override visitOffset(node: OffsetNode): void {
    super.visitOffset(node);
    this.append(' + 0');
  }
}
