import type { Step } from './steps.ts';
import { integer, optional, refers, type Table, tables, text } from './tables.ts';

/** The plans that sellers propose beside their products. */
const proposals: Table = {
  name: 'discovery_proposals',
  columns: {
    organization_id: refers(integer, 'organizations.id'),
    session_id: refers(text, 'discovery_sessions.id'),
    agent_id: text,
    proposal_id: text,
    /** Its place in the answer of its seller. */
    ordinal: integer,
    proposal: text,
    expires_at: optional(text),
  },
  primaryKey: ['session_id', 'agent_id', 'proposal_id'],
};

const made = tables(proposals);

/** What sellers say beside their products, and sessions that ask them again. */
export const step: Step = {
  async up(db, kit) {
    await made.up(db, kit);
    await db.schema.alterTable('discovery_agents').addColumn('response_ms', kit.integer).execute();
    await db.schema.alterTable('discovery_agents').addColumn('told', 'text').execute();
    await db.schema.alterTable('discovery_sessions').addColumn('asked_at', 'text').execute();
    await db.schema.alterTable('discovery_sessions').addColumn('refinement', 'text').execute();
  },
  async down(db, kit) {
    await db.schema.alterTable('discovery_sessions').dropColumn('refinement').execute();
    await db.schema.alterTable('discovery_sessions').dropColumn('asked_at').execute();
    await db.schema.alterTable('discovery_agents').dropColumn('told').execute();
    await db.schema.alterTable('discovery_agents').dropColumn('response_ms').execute();
    await made.down(db, kit);
  },
};
