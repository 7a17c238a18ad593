import type { z } from 'zod';
import type { InventorySourceRow } from '../../../store/inventory-sources.ts';
import type { inventorySource, listedSource } from './schema.ts';

export function inventorySourceRecord(row: InventorySourceRow): z.input<typeof inventorySource> {
  return {
    id: row.id,
    sourceId: row.source_id,
    name: row.name,
    executionType: row.execution_type,
    status: row.status,
    type: 'SALES',
    agentId: row.agent_id,
    endpointUrl: row.endpoint_url,
    protocol: row.protocol,
    authenticationType: row.authentication_type,
    authConfigured: row.auth !== null,
    description: row.description,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.version,
  };
}

/** What a seller chooses a source by, and sees of whether it sells. */
export function compactSource(record: z.input<typeof inventorySource>): z.input<typeof listedSource> {
  const { id, sourceId, name, executionType, status, endpointUrl, revision } = record;
  return { id, sourceId, name, executionType, status, endpointUrl, revision };
}
