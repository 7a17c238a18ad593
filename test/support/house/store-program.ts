import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../../adapters/settings/package-root.ts';
import { sourceFiles } from './source-files.ts';

/** The store as the compiler sees it, with files that are planted beside its own. */
export function storeProgram(planted: Readonly<Record<string, string>> = {}): ts.Program {
  return programOf(['store'], planted);
}

/** Folders of the project as the compiler sees them, with files that are planted beside their own. */
export function programOf(
  folders: readonly string[],
  planted: Readonly<Record<string, string>> = {},
): ts.Program {
  const config = ts.readConfigFile(join(packageRoot, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: folders }, ts.sys, packageRoot);
  const host = ts.createCompilerHost(options);
  const texts = new Map(Object.entries(planted).map(([path, text]) => [join(packageRoot, path), text]));
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.getSourceFile = (path, target, ...more) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile(path, target, ...more)
      : ts.createSourceFile(path, text, target);
  };
  const files = folders.flatMap(sourceFiles).map((path) => join(packageRoot, path));
  return ts.createProgram({ rootNames: [...files, ...texts.keys()], options, host });
}

/** What the compiler says of one file of a program. */
export function mistakesIn(program: ts.Program, path: string): string[] {
  const file = program.getSourceFile(join(packageRoot, path));
  return program
    .getSemanticDiagnostics(file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
