import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../../adapters/settings/package-root.ts';

/** A function that a module of the store exports, and what it takes and asks. */
export interface StoreFunction {
  readonly name: string;
  /** The names of the types of its parameters. */
  readonly takes: readonly string[];
  /** The tables that it names, itself or through what stands beside it in its module. */
  readonly tables: readonly string[];
  /** Whether it asks the database, rather than make a part of a query for another to ask. */
  readonly asks: boolean;
}

/** Every table of the database, by the names of its columns, as the modules of the store declare them. */
export function declaredTables(program: ts.Program): ReadonlyMap<string, readonly string[]> {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(join(packageRoot, 'store/engine/database.ts'));
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  const database = module?.exports?.get(ts.escapeLeadingUnderscores('Database'));
  if (database === undefined) throw new Error('The store declares no Database.');
  const tables = checker.getDeclaredTypeOfSymbol(database).getProperties();
  return new Map(
    tables.map((table) => {
      const columns = checker.getTypeOfSymbol(table).getProperties();
      return [table.name, columns.map(({ name }) => name)];
    }),
  );
}

/** The functions that a module exports, constants that hold one included. */
export function functionsOf(program: ts.Program, path: string): StoreFunction[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(join(packageRoot, path));
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (file === undefined || module === undefined) throw new Error(`${path} is no module.`);
  const known = new Set(declaredTables(program).keys());
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const [signature] = symbol.valueDeclaration ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
    if (signature === undefined) return [];
    const takes = signature.getParameters().map((one) => nameOf(checker.getTypeOfSymbol(one)));
    const named = wordsOf(symbol, { checker, file, seen: new Set() }).filter((word) => known.has(word));
    const asks = partsOf(signature.getReturnType()).some((type) => nameOf(type) === 'Promise');
    return [{ name: symbol.name, takes, tables: [...new Set(named)].sort(), asks }];
  });
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function nameOf(type: ts.Type): string {
  return (type.aliasSymbol ?? type.getSymbol())?.name ?? '';
}

interface Reading {
  readonly checker: ts.TypeChecker;
  readonly file: ts.SourceFile;
  readonly seen: Set<ts.Symbol>;
}

/** The texts that a declaration holds, and those of all that it uses of its own file. */
function wordsOf(symbol: ts.Symbol, reading: Reading): string[] {
  const { checker, file, seen } = reading;
  const declaration = symbol.valueDeclaration;
  if (seen.has(symbol) || declaration?.getSourceFile() !== file) return [];
  seen.add(symbol);
  const words: string[] = [];
  const visit = (node: ts.Node): void => {
    // `campaigns as c` and SQL in a template name a table among other words.
    if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node))
      words.push(...node.text.split(/\W+/));
    const used = ts.isIdentifier(node) && !isMember(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (used !== undefined) words.push(...wordsOf(used, reading));
    node.forEachChild(visit);
  };
  declaration.forEachChild(visit);
  return words;
}

/** What stands behind a dot is reached with what it is a part of; to say what it is, the compiler reads every query. */
function isMember(node: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
}
