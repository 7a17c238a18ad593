import { createServer } from 'node:http';
import { importJWK, jwtVerify } from 'jose';
import { createLog } from '../adapters/process/logging.ts';
import { startServer } from '../adapters/process/server.ts';
import { readConfig } from '../adapters/settings/config.ts';
import { signFor, type TokenOfPerson } from './tokens.ts';

/**
 * Recognises tokens that it has never seen, `/rialto`, and checks the same with the library alone, `/bare`: so many
 * of them in a request that the request itself hardly counts. There are more tokens than are remembered.
 */
const TOKENS = 6_000;
const IN_A_REQUEST = 20;

const [token = '{}'] = process.argv.slice(2);
const { PORT: port = '0', ...variables } = process.env;
const config = readConfig({ ...variables, PORT: '0' });
const { app } = await startServer(config, { log: await createLog(config, 'lines') });
const wanted: TokenOfPerson = JSON.parse(token);
const tokens: string[] = [];
for (let count = 0; count < TOKENS; count += 1) tokens.push(await signFor(app.services, wanted));
const [pair] = await app.keyring.pairs();
if (pair === undefined) throw new Error('There is no key.');
const key = await importJWK(pair.publicJwk, 'ES256');
const issuer = app.services.publicUrl();
let next = 0;

async function recognise(isBare: boolean): Promise<void> {
  for (let count = 0; count < IN_A_REQUEST; count += 1) {
    next = (next + 1) % TOKENS;
    const one = tokens[next] ?? '';
    const found = isBare
      ? await jwtVerify(one, key, { issuer, typ: 'at+jwt', algorithms: ['ES256'] })
      : await app.identify({ headers: { authorization: `Bearer ${one}` } });
    if (found === null) throw new Error('A token was not recognised.');
  }
}

createServer((req, res) => {
  const answer = (status: number) => () => void res.writeHead(status).end();
  if (req.url === '/health') answer(200)();
  else recognise(req.url === '/bare').then(answer(200), answer(500));
}).listen(Number(port), '127.0.0.1');
