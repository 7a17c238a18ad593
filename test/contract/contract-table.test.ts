import { describe, expect, test } from 'vitest';
import { contractOperations, contractTable } from '../../adapters/docs/contract.ts';
import { whyNotServed } from '../../adapters/docs/not-served.ts';
import { routesOf } from '../../adapters/rest/routes.ts';
import { endpoints } from '../../adapters/signup/endpoints.ts';
import { streams, tools } from '../../tools/registry.ts';

const operations = contractOperations();
const rows = contractTable(operations, tools, streams)
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

const rowOf = (address: string) => rows.find(([name]) => name === `\`${address}\``);

describe('the table of the contract', () => {
  test('has a row for each operation that was agreed, and none beside', () => {
    expect(rows.map(([address]) => address)).toEqual(
      Object.keys(operations).map((address) => `\`${address}\``),
    );
    expect(rows.length).toBeGreaterThan(400);
  });

  test('names the capability of each that is served, and says of each other what it belongs to', () => {
    const served = new Map<string, string>([
      ...endpoints.map(({ method, path, name }) => [`\`${method} ${path}\``, name] as const),
      ...routesOf(tools, streams).map(
        ({ method, path, target }) =>
          [
            `\`${method} ${path.replace(/\{\w+\}/g, '{}')}\``,
            'tool' in target ? target.tool.name : target.stream.name,
          ] as const,
      ),
    ]);

    for (const [address = '', by, open] of rows) {
      expect(by, address).toBe(served.has(address) ? `\`${served.get(address)}\`` : 'no');
      if (by === 'no') expect(open, address).toMatch(/^Not built: [A-Z].+\.$/);
    }
  });

  test('names what a served operation does not take, and nothing where it takes all', () => {
    expect(rowOf('POST /api/v2/buyer/advertisers')?.[2]).toContain('`dataDelivery`');
    expect(rowOf('DELETE /api/v2/buyer/advertisers/{}')?.slice(1)).toEqual(['`advertiser_delete`', '']);
  });

  test('cannot be written while an operation belongs to nothing', () => {
    expect(() => whyNotServed('GET /api/v2/somewhere/else')).toThrow('belongs to no subject');
  });
});
