import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { newPerson } from '../support/callers/people.ts';
import { engine } from '../support/database/database.ts';
import { freePort } from '../support/run/free-port.ts';
import { type Measured, measuredAt } from '../support/server/exposition.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const rules = readFileSync(join(packageRoot, 'docs', 'alerts.yml'), 'utf8');
/** What only a database that is a file has. */
const OF_FILES = ['rialto_disk_bytes', 'rialto_disk_free_bytes', 'rialto_wal_bytes'];

let server: TestServer;
let metrics: ReadonlyMap<string, Measured>;
beforeAll(async () => {
  const port = await freePort();
  server = await startTestServer({ settings: { METRICS_PORT: String(port) } });
  await (await newPerson(server)).get('/buyer/campaigns');
  metrics = await measuredAt(`http://127.0.0.1:${port}`);
});
afterAll(() => server.stop());

/** Of each rule, its expression. */
const expressions = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((rule) => /expr: (?:>\n)?([\s\S]*?)\n {8}for: \d+m\n/.exec(rule)?.[1] ?? '');

test('the alerts of the example name metrics that there are, with labels that they have', () => {
  const named = expressions.flatMap((text) => [
    ...text.matchAll(/(rialto_[a-z_]+)(?:\{(\w+)=~?"([^"]*)"\})?/g),
  ]);

  expect(expressions.filter((text) => !text.includes('rialto_'))).toEqual([]);
  for (const [, name = '', label, value = ''] of named) {
    if (engine === 'postgres' && OF_FILES.includes(name)) continue;
    const series = [...(metrics.get(name)?.series.keys() ?? [])];
    expect(series, name).not.toEqual([]);
    if (label !== undefined)
      expect(
        series.some((one) => one.includes(`${label}="`)),
        `${name} ${value}`,
      ).toBe(true);
  }
});

test('the alerts tell of late events, of errors, of a late event loop and of a disk that is nearly full', () => {
  const said = expressions.map((text) => text.replace(/\s+/g, ' ').trim());

  expect(said).toEqual(
    expect.arrayContaining([
      'rialto_webhook_oldest_pending_seconds > 60',
      expect.stringMatching(/status=~"5\.\."\}\[5m\]\)\) \/ sum\(.*\) > 0\.01$/),
      'rialto_event_loop_delay_seconds{quantile="0.99"} > 0.25',
      'rialto_disk_free_bytes / rialto_disk_bytes < 0.1',
    ]),
  );
});
