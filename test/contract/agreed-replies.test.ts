import { describe, expect, test } from 'vitest';
import { routesOf } from '../../adapters/rest/routes.ts';
import type { Tool } from '../../tools/core/define.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/json-schema.ts';
import { streams, tools } from '../../tools/registry.ts';
import { asSchema } from '../support/schema-walk.ts';
import agreed from './agreed-replies.json' with { type: 'json' };

/**
 * What was agreed with the callers of such services that each answer holds, copied from there for each operation
 * that is served: the fields that are always there, at every depth; inside one that may be null, none.
 */
const AGREED: Readonly<Record<string, readonly string[]>> = agreed;

const OWN_STOREFRONT = {
  routingMode: 'Nothing composes offers here, and nothing is passed on to one provider: neither word holds.',
  compositionPricing: 'Nothing composes offers here.',
};
const MARKET = 'What buyers are told of how sellers answer is kept for each seller, without counts.';
const CHILD = 'The account that was made is answered; account_list and account_get have the rest.';

/** Fields that are not there, each with the reason. */
const LEFT_OUT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /api/v2/buyer/storefronts': { 'items[].discoveryPerformance': MARKET },
  'GET /api/v2/buyer/storefronts/{}': { discoveryPerformance: MARKET },
  'GET /api/v2/storefront': OWN_STOREFRONT,
  'POST /api/v2/storefront': OWN_STOREFRONT,
  'PUT /api/v2/storefront': OWN_STOREFRONT,
  'POST /api/v2/buyer/accounts/create-child': childFields(),
  'POST /api/v2/storefront/accounts/create-child': childFields(),
};

function childFields() {
  const fields =
    'user customer customers showTosBox canAcceptTos hasContract latestTosVersion convertedFromStandalone';
  return Object.fromEntries(fields.split(' ').map((field) => [field, CHILD]));
}

const served = routesOf(tools, streams).flatMap(({ method, path, target }) => {
  const address = `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
  return 'tool' in target && address in AGREED ? [{ address, tool: target.tool }] : [];
});

/** The schemas that stand where this one does: what it names, and what it may be of several. */
function alternatives(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const name = /^#\/\$defs\/(.+)$/.exec(String(schema['$ref'] ?? ''))?.[1];
  if (name !== undefined) return alternatives(asSchema(asSchema(root['$defs'])[name]), root);
  const either = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => [schema[key] ?? []].flat());
  return [schema, ...either.flatMap((one) => alternatives(asSchema(one), root))];
}

type Place = readonly [place: string, always: boolean];

/** How deep what was agreed goes, with room to spare. */
const DEPTH = 8;

/** Every place of an answer, each as often as it stands there, and whether it always does. */
function placesOf(root: JsonSchema): Place[] {
  const inside = (schema: JsonSchema, path: string, depth: number): Place[] =>
    depth === 0
      ? []
      : alternatives(schema, root).flatMap((one) => [
          ...inList(one, path, depth),
          ...inFields(one, path, depth),
        ]);
  const inList = ({ items }: JsonSchema, path: string, depth: number) =>
    items === undefined ? [] : inside(asSchema(items), `${path}[]`, depth - 1);
  const inFields = (schema: JsonSchema, path: string, depth: number) => {
    const required = [schema['required'] ?? []].flat();
    return Object.entries(asSchema(schema['properties'])).flatMap(([field, part]): Place[] => {
      const place = path === '' ? field : `${path}.${field}`;
      return [[place, required.includes(field)], ...inside(asSchema(part), place, depth - 1)];
    });
  };
  return inside(root, '', DEPTH);
}

/** Whoever asks for a short form gets fewer fields; a change answers the record that has one elsewhere. */
const hasShortForm = ({ name, input }: Tool) =>
  name === 'media_buy_update' || 'detail' in input.shape || 'fields' in input.shape;

describe('what was agreed that an answer always holds', () => {
  test('is written down for what is served', () => {
    expect(served.length).toBe(Object.keys(AGREED).length);
  });

  test.each(served)('is in what $address answers, or left out for a reason', ({ address, tool }) => {
    const places = placesOf(jsonSchema(tool.rest?.shows?.schema ?? tool.output, 'output'));
    const there = places.flatMap(([place, always]) => (always || hasShortForm(tool) ? [place] : []));
    const leftOut = Object.keys(LEFT_OUT[address] ?? {});
    const missing = (AGREED[address] ?? []).filter((place) => !there.includes(place));

    expect(missing.filter((place) => !leftOut.some((field) => place.startsWith(`${field}.`)))).toEqual(
      leftOut,
    );
  });
});
