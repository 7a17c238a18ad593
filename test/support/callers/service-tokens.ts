import type { TestServer } from '../server/server.ts';
import { newBrowser } from './browsers.ts';
import { clientFor } from './client.ts';
import type { Person } from './people.ts';

/** A service token that an administrator made at a browser, and its maker. */
export async function newServiceToken(
  server: TestServer,
  { organizationId }: Pick<Person, 'organizationId'>,
  wanted: object = {},
) {
  const maker = await newBrowser(server, organizationId);
  const { status, body } = await clientFor(server.url, maker.credential).post('/service-tokens', wanted);
  if (status !== 201) throw new Error(JSON.stringify(body));
  const { accessClientId, accessClientSecret } = body.data;
  return { maker, record: body.data, bearer: `${accessClientId}.${accessClientSecret}` };
}
