import { integer, refers, type Table, tables, text } from './tables.ts';

/** The processes that serve this database, and when each was last seen alive. */
const processesTable: Table = {
  name: 'processes',
  columns: { id: text, started_at: text, seen_at: text },
  primaryKey: ['id'],
};

/** Sessions of the initialize era of MCP: any process may serve them. */
const mcpSessions: Table = {
  name: 'mcp_sessions',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    principal: text,
    surface: text,
    initialize: text,
    created_at: text,
    seen_at: text,
  },
  primaryKey: ['id'],
  indexes: { mcp_sessions_by_seen_at: ['seen_at'] },
};

export const step = tables(processesTable, mcpSessions);
