import { type McpSurface, mcpSurfaces } from '../../tools/core/surfaces.ts';
import { isLong } from '../support/run/effort.ts';
import type { Way } from './asking.ts';
import type { Cell } from './expected.ts';
import type { Row } from './table.ts';

/** What becomes of a caller on a way in. */
export interface OnWay {
  readonly row: Row;
  readonly way: Way;
  readonly cell: Cell;
}

export interface Asked extends OnWay {
  /** The MCP servers that are asked for what is no tool. */
  readonly servers: readonly McpSurface[];
}

/**
 * Which of the cells of a capability are asked in this run: in a long one all of them. In a usual one callers who end
 * alike on every way, bound by the same, take turns: one asks over REST, the next over MCP, so that each way in is
 * seen to end so. Turns shift from one capability to the next, so that each caller is seen on each way. Who alone ends
 * so asks on every way, and whoever asks through `api_call` always does.
 */
export function inTurn(cells: readonly OnWay[], capability: number): Asked[] {
  if (isLong) return cells.map((one) => ({ ...one, servers: mcpSurfaces }));
  return grouped(ofCallers(cells), endsOf).flatMap((alike) => {
    const [only, ...others] = alike;
    if (only !== undefined && others.length === 0)
      return only.map((one) => ({ ...one, servers: mcpSurfaces }));
    return alike.flatMap((ofCaller, index) => turnOf(ofCaller, index + capability));
  });
}

function turnOf(ofCaller: readonly OnWay[], turn: number): Asked[] {
  const direct = ofCaller.filter(({ way }) => way !== 'api_call');
  const due = direct[turn % direct.length];
  const server = mcpSurfaces[Math.floor(turn / direct.length) % mcpSurfaces.length];
  const servers = server === undefined ? [] : [server];
  return ofCaller.filter((one) => one === due || one.way === 'api_call').map((one) => ({ ...one, servers }));
}

function ofCallers(cells: readonly OnWay[]): OnWay[][] {
  return grouped(cells, ({ row }) => row.who);
}

function endsOf(ofCaller: readonly OnWay[]): string {
  const direct = ofCaller.filter(({ way }) => way !== 'api_call');
  return JSON.stringify([ofCaller[0]?.row.bound, direct.map(({ way, cell }) => [way, cell])]);
}

/** In the order in which they come. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}
