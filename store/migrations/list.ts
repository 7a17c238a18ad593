import type { Migration, MigrationProvider } from 'kysely';
import type { Kit, Step } from '../engine/migration-kit.ts';
import { organizations } from './0001-organizations.ts';
import { advertisers } from './0002-advertisers.ts';
import { storefronts } from './0003-storefronts.ts';
import { managedSeller } from './0004-managed-seller.ts';
import { discovery } from './0005-discovery.ts';
import { campaigns } from './0006-campaigns.ts';
import { webhooks } from './0007-webhooks.ts';
import { auditLog } from './0008-audit-log.ts';
import { processes } from './0009-processes.ts';

/** Every step, oldest first. A released step is never edited; the next change is the next number. */
const steps: Readonly<Record<string, Step>> = {
  '0001-organizations': organizations,
  '0002-advertisers': advertisers,
  '0003-storefronts': storefronts,
  '0004-managed-seller': managedSeller,
  '0005-discovery': discovery,
  '0006-campaigns': campaigns,
  '0007-webhooks': webhooks,
  '0008-audit-log': auditLog,
  '0009-processes': processes,
};

export function migrationsFor(kit: Kit): MigrationProvider {
  return {
    getMigrations: async () =>
      Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, bind(step, kit)])),
  };
}

function bind(step: Step, kit: Kit): Migration {
  return { up: (db) => step.up(db, kit), down: (db) => step.down(db, kit) };
}
