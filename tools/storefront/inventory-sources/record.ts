import type { z } from 'zod';
import { fromJson } from '../../../store/engine/codec.ts';
import type { InventorySourceRow } from '../../../store/inventory-sources.ts';
import type { inventorySource, listedSource } from './schema.ts';

type Shown = z.input<typeof inventorySource>;

export function inventorySourceRecord(row: InventorySourceRow): Shown {
  return { ...sourceFacts(row), health: healthOf(row) };
}

/** What of it its seller sets, for the log of what changed: how its agent does is nobody's deed. */
export function sourceFacts(row: InventorySourceRow): Omit<Shown, 'health' | 'warnings'> {
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

function healthOf({ last_failure }: InventorySourceRow): Shown['health'] {
  const last = last_failure === null ? undefined : fromJson(last_failure);
  return {
    lastError: last?.words ?? null,
    lastErrorCode: last?.code ?? null,
    lastErrorAt: last?.at ?? null,
    lastErrorTask: last?.task ?? null,
  };
}

/** What a seller chooses a source by, and sees of whether it sells. */
export function compactSource(record: Shown): z.input<typeof listedSource> {
  const { id, sourceId, name, executionType, status, endpointUrl, revision } = record;
  return { id, sourceId, name, executionType, status, endpointUrl, revision };
}
