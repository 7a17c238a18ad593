import type { Role } from '../../store/memberships.ts';
import { listWorkplaces } from '../../store/unscoped/organization-tree.ts';
import type { App } from '../http/app.ts';
import { plainText } from './html.ts';

/** An organization that a person may choose to work in: one with a role of theirs, or an account below it. */
export interface Workplace {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  /** The organization that it stands below, where the person reaches that one as well. */
  readonly above: string | undefined;
}

/** Where a person may work, by name: what `account_switch` takes, neither more nor less. */
export async function workplacesOf(
  { services }: Pick<App, 'services'>,
  userId: number,
): Promise<readonly Workplace[]> {
  const rows = await listWorkplaces(services.store.db, userId);
  const names = new Map(rows.map(({ organization_id, name }) => [organization_id, name]));
  return rows
    .map(({ organization_id: id, name, role, parent_id }) => ({
      ...{ id, name, role },
      above: parent_id === null ? undefined : names.get(parent_id),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id));
}

/** What a place is called in a list of several. */
export function placeWords({ name, above }: Pick<Workplace, 'name' | 'above'>): string {
  return above === undefined ? plainText(name) : `${plainText(name)} (below ${plainText(above)})`;
}
