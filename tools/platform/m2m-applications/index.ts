import { defineFamily } from '../../core/families.ts';
import { m2mApplicationCreate } from './m2m-application-create.ts';
import { m2mApplicationDelete } from './m2m-application-delete.ts';
import { m2mApplicationGet } from './m2m-application-get.ts';
import { m2mApplicationList } from './m2m-application-list.ts';
import { m2mSecretCreate } from './m2m-secret-create.ts';
import { m2mSecretDelete } from './m2m-secret-delete.ts';

/** Backends of the organization that get their own tokens, managed by people alone. */
export const m2mApplications = defineFamily({
  surface: 'platform',
  toolset: 'm2m_applications',
  tools: [
    m2mApplicationList,
    m2mApplicationCreate,
    m2mApplicationGet,
    m2mApplicationDelete,
    m2mSecretCreate,
    m2mSecretDelete,
  ],
});
