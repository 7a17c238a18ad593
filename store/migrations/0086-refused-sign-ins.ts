import { integer, tables, text } from './tables.ts';

/** Credentials that were refused, counted by the hour. */
export const step = tables({
  name: 'refused_sign_ins',
  columns: {
    hour: text,
    kind: text,
    subject: text,
    network: text,
    count: integer,
    last_at: text,
  },
  primaryKey: ['hour', 'kind', 'subject', 'network'],
  indexes: { refused_sign_ins_by_subject: ['subject', 'hour'] },
});
