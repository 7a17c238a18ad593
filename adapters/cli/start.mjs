// `npm start`: makes a fresh clone ready, then serves from this same process.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './prepare.mjs';

await prepare();
await import(pathToFileURL(join(root, 'dist', 'adapters', 'main.js')).href);
