import type { TestServer } from '../server/server.ts';
import { clientFor, type Reply } from './client.ts';
import type { Person } from './people.ts';

export interface Made {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly secretId: string;
  readonly resource: string;
}

/** An application that a person of the organization made at a browser. */
export async function newApplication(
  server: TestServer,
  person: Person,
  permissions: readonly string[] = ['buyer:read', 'buyer:write'],
): Promise<Made> {
  const client = clientFor(server.url, await person.browser());
  const { body, status } = await client.post('/m2m-applications', { name: 'Backend', permissions });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const { application, clientSecret, secretId, resource } = body.data;
  return { id: application.id, clientId: application.clientId, clientSecret, secretId, resource };
}

/** Asks the token endpoint with `client_credentials`. */
export async function askForToken(
  server: TestServer,
  { clientId, clientSecret, resource }: Pick<Made, 'clientId' | 'clientSecret' | 'resource'>,
): Promise<Reply> {
  return clientFor(server.url).send(`${server.url}/auth/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }).toString(),
  });
}
