import { Bill, tokensOf } from './agent.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: Fields }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Reader {
  readonly bill: Bill;
  readonly listTokens: number;
  /** Calls an operation as its example says, but for these fields; gives the data of a success. */
  // biome-ignore lint/suspicious/noExplicitAny: an agent reads what it is given.
  get(operationId: string, fields?: Fields): Promise<any>;
}

/** An agent that knows REST by `/openapi.json` alone: addresses, parameters and examples come from there. */
export async function newReader(url: string, key: string): Promise<Reader> {
  const text = await (await fetch(`${url}/openapi.json`)).text();
  const document: Document = JSON.parse(text);
  const bill = new Bill();
  return {
    bill,
    listTokens: tokensOf(text),
    get: async (operationId, fields = {}) => {
      const { method, path, operation } = find(document, operationId);
      const inPath = new Set(
        (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name),
      );
      const target = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(fields[name]));
      const example = operation.requestBody?.content['application/json']?.example;
      const own = Object.entries(fields).filter(([name]) => !inPath.has(name));
      const response = await fetch(url + target, {
        method: method.toUpperCase(),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(example === undefined
          ? {}
          : { body: JSON.stringify({ ...example, ...Object.fromEntries(own) }) }),
      });
      const answer = await response.text();
      bill.add(`${method.toUpperCase()} ${path} ${response.status}`, answer);
      if (!response.ok) throw new Error(`${operationId} was refused: ${answer}`);
      return JSON.parse(answer).data;
    },
  };
}

function find({ paths }: Document, operationId: string) {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === operationId) return { method, path, operation };
    }
  }
  throw new Error(`/openapi.json has no ${operationId}.`);
}
