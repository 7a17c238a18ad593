import { inPieces } from '../../../store/engine/pieces.ts';
import { newPerson } from '../callers/people.ts';
import type { TestServer } from '../server/server.ts';
import { openStorefront } from './market.ts';

/**
 * A storefront with so many sources more, put there as their owner would have over years: their agents are `agt_`
 * with its name and 0, 1, 2 and on. Gives its id.
 */
export async function crowd(server: TestServer, name: string, more: number): Promise<string> {
  const { storefrontId } = await openStorefront(await newPerson(server), { name });
  const { db } = server.store;
  const open = db.withoutPlugins();
  const [first] = await open
    .selectFrom('inventory_sources')
    .selectAll()
    .where('storefront_id', '=', Number(storefrontId))
    .execute();
  if (first === undefined) throw new Error('There is no source.');
  const rows = Array.from({ length: more }, (_, index) => {
    const id = `src_${name}${index}`;
    return { ...first, id, source_id: id, agent_id: `agt_${name}${index}` };
  });
  await inPieces(rows, (piece) => open.insertInto('inventory_sources').values(piece).execute());
  return storefrontId;
}
