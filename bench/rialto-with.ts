import { createLog } from '../adapters/process/logging.ts';
import { startServer } from '../adapters/process/server.ts';
import { readConfig } from '../adapters/settings/config.ts';
import { isRestTool, type RestTool, type Tool } from '../tools/core/define.ts';
import { defineFamily } from '../tools/core/families.ts';
import { tools } from '../tools/registry.ts';

/**
 * Rialto with so many capabilities: those of the registry, then copies of them under further names and
 * paths, or fewer of them with the measured one among them.
 */
const wanted = Number(process.argv[2] ?? tools.length);
const config = readConfig();
await startServer(config, {
  log: await createLog(config, 'lines'),
  families: withSoMany(wanted).map((tool) => defineFamily({ ...tool, tools: [tool] })),
});

function withSoMany(count: number): Tool[] {
  const measured = tools.filter(({ name }) => name === 'campaign_get' || name === 'health');
  const others = tools.filter(isRestTool).filter((tool) => !measured.includes(tool));
  const all = [...measured, ...others];
  const copies = Array.from({ length: Math.max(0, count - all.length) }, (_, index) => copyOf(others, index));
  return [...all, ...copies].slice(0, count);
}

function copyOf(originals: readonly RestTool[], index: number): Tool {
  const original = originals[index % originals.length];
  if (original === undefined) throw new Error('There is nothing to copy.');
  const round = 1 + Math.floor(index / originals.length);
  const { also: _, ...rest } = original.rest;
  return {
    ...original,
    name: `${original.name}_${round}`,
    rest: { ...rest, path: `/copy-${round}${original.rest.path}` },
  };
}
