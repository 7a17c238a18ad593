import { findApiKey } from '../../../store/api-keys.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant, type Tenant } from '../../../store/engine/scope.ts';
import { findApplication, listSecrets } from '../../../store/m2m-applications.ts';
import { findServiceToken } from '../../../store/service-tokens.ts';
import type { Caller } from '../../core/context.ts';

/**
 * The people behind a caller: whom it acts for, and who made the credential. Each of them could have asked with it,
 * so that none of them can allow what it asks. Nobody, for what the operator made.
 */
export async function peopleBehind(db: Db, caller: Caller): Promise<readonly number[]> {
  const [kind = '', id = ''] = caller.principal.split(/:(.*)/s);
  const makers =
    caller.keptElsewhere === undefined
      ? await MAKERS[kind]?.(db, makeTenant(caller.organizationId), id)
      : // No row of ours tells of it, and who keeps it is not asked anew while the account is held.
        [caller.keptElsewhere.createdByUserId];
  const people = [caller.userId, ...(makers ?? [])].flatMap((person) => person ?? []);
  return [...new Set(people)].sort((one, other) => one - other);
}

type Makers = (db: Db, tenant: Tenant, id: string) => Promise<readonly (number | null | undefined)[]>;

const MAKERS: Readonly<Record<string, Makers>> = {
  api_key: async (db, tenant, id) => [(await findApiKey(db, tenant, id))?.created_by_user_id],
  service_token: async (db, tenant, id) => [
    (await findServiceToken(db, tenant, Number(id)))?.created_by_user_id,
  ],
  // Whoever made one of its secrets may have kept it.
  m2m: async (db, tenant, id) => {
    const [application, secrets] = [await findApplication(db, tenant, id), await listSecrets(db, tenant, id)];
    return [application?.created_by_user_id, ...secrets.map((secret) => secret.created_by_user_id)];
  },
};
