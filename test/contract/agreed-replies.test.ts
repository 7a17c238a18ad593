import { describe, expect, test } from 'vitest';
import type { Tool } from '../../tools/core/define.ts';
import type { JsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { asSchema } from '../support/house/schema-walk.ts';
import optional from './agreed-optional.json' with { type: 'json' };
import agreed from './agreed-replies.json' with { type: 'json' };
import { agreedTools } from './agreed-tools.ts';
import { alternatives, answerSchemaOf } from './placed-schemas.ts';

/**
 * What was agreed with the callers of such services that each answer holds, copied from there for each operation
 * that is served: the fields that are always there, at every depth; inside one that may be null, none.
 */
const AGREED: Readonly<Record<string, object>> = agreed;

const OWN_STOREFRONT = {
  routingMode: 'Nothing composes offers here, and nothing is passed on to one provider: neither word holds.',
  compositionPricing: 'Nothing composes offers here.',
};
const MARKET = 'What buyers are told of how sellers answer is kept for each seller, without counts.';
const AS_SOLD = 'Told where its seller tells it.';
const CHILD = 'The account that was made is answered; account_list and account_get have the rest.';

/** Fields that are not there, each with the reason. */
const LEFT_OUT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /api/v2/buyer/storefronts': { 'items[].discoveryPerformance': MARKET },
  'GET /api/v2/buyer/storefronts/{}': { discoveryPerformance: MARKET },
  'GET /api/v2/storefront': OWN_STOREFRONT,
  'POST /api/v2/storefront': OWN_STOREFRONT,
  'PUT /api/v2/storefront': OWN_STOREFRONT,
  'POST /api/v2/buyer/products/query': {
    'products[].publisher_properties[].selection_type': AS_SOLD,
    'products[].reporting_capabilities': AS_SOLD,
  },
  'POST /api/v2/buyer/accounts/create-child': childFields(),
  'POST /api/v2/storefront/accounts/create-child': childFields(),
};

function childFields() {
  const fields =
    'user customer customers showTosBox canAcceptTos hasContract latestTosVersion convertedFromStandalone';
  return Object.fromEntries(fields.split(' ').map((field) => [field, CHILD]));
}

const CREATIVES = 'Creatives come with their own capabilities.';
const ELSEWHERE = 'Belongs to another capability, which docs/contract.md names as not built.';
const NOT_SET = 'Nothing sets it: in a request it is refused by name as not built.';
const PROVIDERS = 'Only buys at accounts of others, which are not connected here, are read back so.';
const PAGES = 'Which advertiser somebody looks at is remembered by a page, and nothing here is one.';
const SOURCES = 'No source of that kind is served: agents at an address and the embedded seller alone.';

/** Fields that an answer may hold and ours never does, each with the reason; what stands below one goes with it. */
const NEVER: readonly (readonly [place: RegExp, reason: string])[] = [
  [/(^|\.)currentAdvertiserId$/, PAGES],
  [/(^|\.)credentialId$/, ELSEWHERE],
  [/(^|\.)dataDelivery$/, ELSEWHERE],
  [/(^|\.)billingOptions$/, ELSEWHERE],
  [/frequencyCaps\[\]\.archivedAt$/, 'A cap is put in place of the one before, and none is archived.'],
  [
    /^(authorizedOperators|houseBrand|builderUrl|manifestUrl)$/,
    'The table of brands is local, and knows no such thing.',
  ],
  [/productGroups\[\]\.description$/, 'A group is a domain, and sellers say nothing of it.'],
  [/supportedRoutingTypes$/, 'Nothing is routed: each buy goes to the seller of its product.'],
  [/\.provenance$/, CREATIVES],
  [/pricingOptions\[\]\.rate$/, 'fixedPrice or floorPrice says it.'],
  [/products\[\]\.(inventorySourceId|selectionId)$/, 'salesAgentId and productId name a choice.'],
  [/(^|\.)directed$/, ELSEWHERE],
  [/constraints\.countries$/, 'The other name of geo_countries.'],
  [/constraints\.geo_metro_names(_exclude)?$/, ELSEWHERE],
  [/^(items|activeCount|v3Enabled)$/, 'Another form of the list, which this one is not.'],
  [/optimizationGoals\[\]\.(eventSources|attributionWindow)$/, ELSEWHERE],
  [/^campaign\.(catalogId|audiences|propertyLists)$/, ELSEWHERE],
  [/^campaign\.creativeFormats$|\.creatives$|formatOptions$/, CREATIVES],
  [/packages\[\]\.(providerTargeting|providerPlacementControls|requestedTargeting)$/, PROVIDERS],
  [/packages\[\]\.(targetingMatchesRequest|geoRegionMappings)$/, PROVIDERS],
  [/^warnings$/, 'They stand in the campaign, so that reading it again shows them too.'],
  [/^warnings\[\]\.(mediaBuyId|dropped)$/, CREATIVES],
  [/^publishers$|discoveryPerformance/, MARKET],
  [/(^|\.)(connectionType|adServerProvider|oauth|managedSa|linkedStorefront|isAdapterSource)$/, SOURCES],
  [/(^|\.)(reportingType|reportingPollingCadence|agentCapabilityUid)$/, SOURCES],
  [/(^|\.)(declaredAgent|binding|effective)ProductMode$|(^|\.)product(ModeReasons|Paths)$/, SOURCES],
  [/^(logoBackground|setupIntent|sellsThirdPartyInventory|paymentCurrencies)$/, NOT_SET],
  [/^compositionPricing\./, OWN_STOREFRONT.compositionPricing],
  [/\.(logoTileColor|logoFill)$/, 'How a page paints what it shows is its own matter.'],
  [/^mediaBuyRefs\[\]\.pendingChange$/, 'What is ordered just now waits for no change.'],
  [/^data$/, 'The envelope around the list, as around every answer.'],
  [/^(tosUpdate|organizationContractMissing)$/, CHILD],
];

type Place = readonly [place: string, always: boolean];

/** Stands for every field of an object that says nothing of its fields. */
const ANYTHING = '*';

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
    const isLoose = ![undefined, false].includes(schema['additionalProperties'] as boolean | undefined);
    const open: Place[] = isLoose ? [[`${path}.${ANYTHING}`, false]] : [];
    const fields = Object.entries(asSchema(schema['properties'])).flatMap(([field, part]): Place[] => {
      const place = path === '' ? field : `${path}.${field}`;
      return [[place, required.includes(field)], ...inside(asSchema(part), place, depth - 1)];
    });
    return [...open, ...fields];
  };
  return inside(root, '', DEPTH);
}

/** Whoever asks for a short form gets fewer fields; a change answers the record that has one elsewhere. */
const hasShortForm = ({ name, input }: Tool) =>
  name === 'media_buy_update' || 'detail' in input.shape || 'fields' in input.shape;

describe('what was agreed that an answer always holds', () => {
  test('is written down for every operation that is served', () => {
    expect(Object.keys(AGREED).sort()).toEqual(agreedTools.map(({ address }) => address).sort());
  });

  test.each(agreedTools)('is in what $address answers, or left out for a reason', ({ address, tool }) => {
    const places = placesOf(answerSchemaOf(tool));
    const there = places.flatMap(([place, always]) => (always || hasShortForm(tool) ? [place] : []));
    const leftOut = Object.keys(LEFT_OUT[address] ?? {});
    const missing = Object.keys(AGREED[address] ?? {}).filter((place) => !there.includes(place));

    expect(missing.filter((place) => !leftOut.some((field) => place.startsWith(`${field}.`)))).toEqual(
      leftOut,
    );
  });

  const mayHold = optional.flatMap(({ operations, fields }) =>
    agreedTools.flatMap(({ address, tool }) =>
      operations.includes(address) ? [{ address, tool, fields: Object.keys(fields) }] : [],
    ),
  );

  test.each(mayHold)('may be in what $address answers, or never for a reason', ({ tool, fields }) => {
    const there = new Set(placesOf(answerSchemaOf(tool)).map(nameOf));
    const missing = fields.filter((place) => !there.has(place) && !isOpen(place, there));
    const highest = missing.filter((place) => !missing.some((other) => isBelow(place, other)));

    expect(highest.filter((place) => !NEVER.some(([never]) => never.test(place)))).toEqual([]);
  });

  test('is left out for no reason that nothing needs', () => {
    const fields = mayHold.flatMap((one) => one.fields);

    for (const [place, reason] of NEVER) {
      expect([place.source, fields.some((field) => place.test(field))], reason).toEqual([place.source, true]);
    }
  });
});

const nameOf = ([place]: Place) => place;

function isBelow(place: string, other: string): boolean {
  return place.startsWith(`${other}.`) || place.startsWith(`${other}[]`);
}

/** Whether something around a place takes whatever a seller sent. */
function isOpen(place: string, there: ReadonlySet<string>): boolean {
  const steps = place.split('.');
  return steps.some((_, index) => there.has(`${steps.slice(0, index).join('.')}.${ANYTHING}`));
}
