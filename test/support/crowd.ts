import { inPieces } from '../../store/engine/pieces.ts';
import { openStorefront } from './market.ts';
import { newPerson } from './people.ts';
import type { TestServer } from './server.ts';

/** A storefront with so many sources more, `agt_more0` and on, put there as their owner would have over years. */
export async function crowd(server: TestServer, name: string, more: number): Promise<void> {
  await openStorefront(await newPerson(server), { name });
  const { db } = server.store;
  const open = db.withoutPlugins();
  const [first] = await open.selectFrom('inventory_sources').selectAll().orderBy('id').execute();
  if (first === undefined) throw new Error('There is no source.');
  const rows = Array.from({ length: more }, (_, index) => {
    const id = `src_more${index}`;
    return { ...first, id, source_id: id, agent_id: `agt_more${index}` };
  });
  await inPieces(rows, (piece) => open.insertInto('inventory_sources').values(piece).execute());
}
