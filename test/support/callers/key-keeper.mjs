/**
 * A service that keeps organization API keys, in the protocol of docs/credentials.md, as a process of its own.
 * Prints its port.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.KEEPER_SECRET;
const keys = new Map();
/** Every value that it was asked about. */
const asked = [];
const shown = ({ value: _, ...key }) => key;

async function bodyOf(req) {
  let text = '';
  for await (const part of req) text += part;
  return text === '' ? {} : JSON.parse(text);
}

const routes = [
  [
    'POST /keys$',
    (_, { organizationId, name, permissions, createdByUserId }) => {
      const value = `ext_${randomBytes(24).toString('hex')}`;
      const now = new Date().toISOString();
      const key = {
        id: `key_${randomBytes(8).toString('hex')}`,
        organizationId,
        name,
        permissions,
        createdByUserId,
        obfuscatedValue: `ext_…${value.slice(-4)}`,
        createdAt: now,
        updatedAt: now,
        lastUsedAt: null,
        expiresAt: null,
      };
      keys.set(key.id, { ...key, value });
      return [201, { key, value }];
    },
  ],
  [
    'GET /organizations/(\\d+)/keys$',
    ([id]) => [200, { keys: [...keys.values()].filter((key) => key.organizationId === Number(id)) }],
  ],
  [
    'DELETE /organizations/(\\d+)/keys/([\\w-]+)$',
    ([organization, id]) => {
      const key = keys.get(id);
      if (key?.organizationId !== Number(organization)) return [404, {}];
      keys.delete(id);
      return [200, { revokedAt: new Date().toISOString() }];
    },
  ],
  [
    'POST /keys/validate$',
    (_, { value }) => {
      asked.push(value);
      const key = [...keys.values()].find((one) => one.value === value);
      return [200, { key: key === undefined ? null : shown(key) }];
    },
  ],
  ['GET /asked$', () => [200, asked]],
  [
    'POST /widget-tokens$',
    () => [
      200,
      { token: `wt_${randomBytes(8).toString('hex')}`, expiresAt: new Date(Date.now() + 6e5).toISOString() },
    ],
  ],
];

const server = createServer(async (req, res) => {
  const body = await bodyOf(req);
  const route = routes.map(([pattern, answer]) => [
    new RegExp(`^${pattern}`).exec(`${req.method} ${req.url}`),
    answer,
  ]);
  const [match, answer] = route.find(([found]) => found !== null) ?? [];
  const [status, text] =
    req.headers.authorization !== `Bearer ${secret}`
      ? [401, {}]
      : match
        ? answer(match.slice(1), body)
        : [500, {}];
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(text));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
