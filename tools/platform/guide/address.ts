import { restPaths } from '../../core/addresses.ts';
import { isRestTool, type Method, type Tool } from '../../core/define.ts';
import { namesIn } from '../../core/examples.ts';
import type { Registry } from '../../core/families.ts';
import { factsOf, surfaceNames } from '../../core/surfaces.ts';

interface Address {
  readonly tool: Tool;
  readonly method: Method;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

export interface FoundAddress {
  readonly tool: Tool;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
}

/** The addresses of a registry, made when somebody asks for the first one. */
const known = new WeakMap<Registry, readonly Address[]>();

/** The capability at an address over REST, with what its path and its query say. */
export function addressOf(
  registry: Registry,
  { method, path, ownUrl }: { readonly method: string; readonly path: string; readonly ownUrl: string },
): FoundAddress | undefined {
  const addresses = known.get(registry) ?? addressesOf(registry);
  known.set(registry, addresses);
  const below = path.startsWith(`${ownUrl}/`) ? path.slice(ownUrl.length) : path;
  // A value may hold a question mark as it is (RFC 3986, section 3.4).
  const [, plain = '', query = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(below) ?? [];
  const wanted = versioned(plain.replace(/(?<=.)\/$/, ''));
  for (const address of addresses) {
    const match = address.method === method ? address.pattern.exec(wanted) : null;
    if (match === null) continue;
    const params = paramsOf(address, match);
    return params && { tool: address.tool, params, query: queryIn(query) };
  }
  return undefined;
}

/** Those with the fewest parameters first: a fixed word wins over a parameter in its place. */
function addressesOf({ tools }: Registry): Address[] {
  const addresses = tools.filter(isRestTool).flatMap((tool) =>
    restPaths(tool.surface, tool.rest).map((path) => ({
      tool,
      method: tool.rest.method,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
      names: namesIn(path),
    })),
  );
  return addresses.sort((one, other) => one.names.length - other.names.length);
}

/** An address without a version leads to the stable one, as it does over HTTP. */
function versioned(path: string): string {
  for (const surface of surfaceNames) {
    const { alias, prefix } = factsOf(surface);
    if (alias !== undefined && (path === alias || path.startsWith(`${alias}/`)))
      return `${prefix}${path.slice(alias.length)}`;
  }
  return path;
}

/**
 * Undefined where a part of the path cannot be decoded. A name in braces, as documents print it, says nothing: what
 * belongs there is given beside the path.
 */
function paramsOf({ names }: Address, match: RegExpExecArray): Record<string, string> | undefined {
  try {
    const params = names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')] as const);
    return Object.fromEntries(params.filter(([name, value]) => value !== `{${name}}`));
  } catch {
    return undefined;
  }
}

/** A parameter that is repeated is a list. */
function queryIn(text: string): Record<string, string | string[]> {
  const query = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values.join() : values];
    }),
  );
}
