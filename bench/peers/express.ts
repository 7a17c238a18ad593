import Database from 'better-sqlite3';
import express from 'express';
import { campaignReads } from './campaign-reads.ts';

/**
 * The least that Express can do with the same database: the SELECTs of a campaign and of its media buys, and a durable
 * transaction of two rows. No key, no limits, no schemas, no log.
 */
const [file = '', port = '0'] = process.argv.slice(2);
const db = new Database(file);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');

const read = campaignReads(db);
const columns = db.prepare('select name from pragma_table_info(?)').pluck().all('campaigns').map(String);
const insertCampaign = db.prepare(
  `insert into campaigns (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})`,
);
db.exec('create table if not exists bench_log (id integer primary key, campaign_id text, created_at text)');
const insertLog = db.prepare('insert into bench_log (campaign_id, created_at) values (?, ?)');
const write = db.transaction((row: Record<string, unknown>) => {
  insertCampaign.run(row);
  insertLog.run(row['id'], row['created_at']);
});

const example = db.prepare('select * from campaigns limit 1').get() as Record<string, unknown>;
let count = 0;

const app = express();
app.use(express.json());
app.get('/campaigns/:id', (req, res) => {
  res.json({ data: read(req.params.id), error: null });
});
app.post('/campaigns', (req, res) => {
  count += 1;
  const row = {
    ...example,
    id: `cmp_bench${count}`,
    name: req.body.name,
    created_at: new Date().toISOString(),
  };
  write(row);
  res.status(201).json({ data: row, error: null });
});
app.listen(Number(port), '127.0.0.1');
