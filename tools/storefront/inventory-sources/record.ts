import type { z } from 'zod';
import { fromJson } from '../../../store/engine/codec.ts';
import type { InventorySourceRow } from '../../../store/inventory-sources.ts';
import type { inventorySource, knownSource, listedSource } from './schema.ts';

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

type Known = z.input<typeof knownSource>;

export function knownSourceRecord(row: InventorySourceRow): Known {
  return { ...inventorySourceRecord(row), health: healthOf(row) };
}

function healthOf({ last_failure }: InventorySourceRow): Known['health'] {
  const last = last_failure === null ? undefined : fromJson(last_failure);
  return {
    lastError: last?.words ?? null,
    lastErrorCode: last?.code ?? null,
    lastErrorAt: last?.at ?? null,
    lastErrorTask: last?.task ?? null,
  };
}

/** What a seller chooses a source by, and sees of whether it sells. */
export function compactSource(record: Known): z.input<typeof listedSource> {
  const { id, sourceId, name, executionType, status, endpointUrl, revision } = record;
  return { id, sourceId, name, executionType, status, endpointUrl, revision };
}
