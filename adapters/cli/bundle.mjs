// Puts the build together in few files: opening hundreds of modules one by one, most of them parts of packages,
// would take most of the time until the service is ready, or a command is done. Files of an earlier build stay
// beside the new ones, for a process that was started from them and has not needed all of them yet.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundle, root } from './prepare.mjs';

/** What stays a package: it has files of its own that are no code, or is needed only after the start. */
const APART = [
  '@modelcontextprotocol/client',
  'better-sqlite3',
  'express',
  'helmet',
  'pg',
  'pino-pretty',
  'undici',
];

/** Packages of the older kind ask for Node's own modules with it. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

const STEPS = join(root, 'dist', 'store', 'migrations', 'steps.js');

/** The steps of the database are found by listing their folder: what lists them stays in it. */
const stepsInTheirFolder = {
  name: 'steps-in-their-folder',
  setup({ onResolve }) {
    onResolve({ filter: /\/steps\.js$/ }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path);
      return file === STEPS ? { path: '../store/migrations/steps.js', external: true } : undefined;
    });
  },
};

/** The reference page's own program, of a package that only a build needs: it would bring others with it. */
const PAGE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const swagger = join(root, 'node_modules', '@fastify', 'swagger-ui', 'static');
const web = join(root, 'dist', 'web');
mkdirSync(web, { recursive: true });
for (const file of PAGE_FILES) copyFileSync(join(swagger, file), join(web, file));

const adapters = join(root, 'dist', 'adapters');

await build({
  entryPoints: { main: join(adapters, 'process', 'main.js'), rialto: join(adapters, 'cli', 'rialto.js') },
  outdir: bundle,
  bundle: true,
  // What is imported later stays in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: APART,
  plugins: [stepsInTheirFolder],
  banner: { js: REQUIRE },
  // Lines and names stay, for whoever reads where an error came from; comments are for readers of the source.
  legalComments: 'none',
  logLevel: 'warning',
});
