import type { Step } from './steps.ts';
import { integer, refers, type Table, tables, text } from './tables.ts';

/** Brands that an organization registered. */
const brands: Table = {
  name: 'brands',
  columns: {
    id: text,
    organization_id: refers(integer, 'organizations.id'),
    domain: text,
    manifest: text,
    created_at: text,
  },
  primaryKey: ['id'],
  unique: { brands_once: ['organization_id', 'domain'] },
};

/** Brands that the operator made known to the installation: registered ones, and those that were only heard of. */
const knownBrands: Table = {
  name: 'known_brands',
  columns: { domain: text, id: text, manifest: text, is_registered: integer, updated_at: text },
  primaryKey: ['domain'],
};

const made = tables(brands, knownBrands);

/** Advertisers say how landing pages are tagged and how often one sees their ads; brands are resolved. */
export const step: Step = {
  async up(db, kit) {
    for (const column of ['utm_config', 'frequency_caps'] as const) {
      await db.schema.alterTable('advertisers').addColumn(column, 'text').execute();
    }
    await made.up(db, kit);
  },
  async down(db, kit) {
    await made.down(db, kit);
    for (const column of ['frequency_caps', 'utm_config'] as const) {
      await db.schema.alterTable('advertisers').dropColumn(column).execute();
    }
  },
};
