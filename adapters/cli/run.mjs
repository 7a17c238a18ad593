// `npm run rialto -- …`: the operator’s command line, on a clone made ready.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, prepare } from './prepare.mjs';

await prepare();
await import(pathToFileURL(join(bundle, 'rialto.js')).href);
