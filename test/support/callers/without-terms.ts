import type { TestServer } from '../server/server.ts';
import type { Person } from './people.ts';

/** As if the organization had never accepted the terms that it did accept. */
export async function withoutTerms<T>(
  { store: { db } }: TestServer,
  { organizationId }: Person,
  work: () => Promise<T>,
): Promise<T> {
  const accepted = await db
    .deleteFrom('terms_acceptances')
    .where('organization_id', '=', organizationId)
    .returningAll()
    .execute();
  try {
    return await work();
  } finally {
    await db.insertInto('terms_acceptances').values(accepted).execute();
  }
}
