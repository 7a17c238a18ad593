import { z } from 'zod';
import { isSameJson } from '../../core/schemas/checks.ts';
import { BRIEF_MARK } from '../../core/schemas/json-schema.ts';
import { oneOf } from '../campaigns/constraint-fields.ts';
import { agreedFields, shortText } from '../text.ts';

/** A place, and how far around it (AdCP 3.0, core/targeting, geo_proximity): one of three ways to say so. */

const timeUnits = ['min', 'hr'] as const;
const lengthUnits = ['km', 'mi', 'm'] as const;
const modes = ['walking', 'cycling', 'driving', 'public_transport'] as const;

const WAYS = ['travel_time', 'radius', 'geometry'] as const;

/** Corners of a ring: as many as draw a town, and no more than an order should carry. */
const CORNERS_MAX = 500;
/** An outline and its holes. */
const RINGS_MAX = 10;
/** Shapes of one place, and the corners of all of them. */
const SHAPES_MAX = 20;
const CORNERS_OF_ALL_MAX = 2_000;
const MANY_CORNERS = `${CORNERS_OF_ALL_MAX} corners at the most, of all shapes together.`;
const EXT_MAX = 2_000;
/** A ring comes back to where it began. */
const RING_MIN = 4;

const corner = z
  .array(z.number())
  .length(2)
  .refine(([lng = 0, lat = 0]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90, 'Give lng and lat, WGS 84.');

const ring = z
  .array(corner)
  .min(RING_MIN)
  .max(CORNERS_MAX)
  .refine(
    (corners) => isSameJson(corners[0], corners.at(-1)),
    'Must end with the corner that it begins with.',
  );

const rings = z.array(ring).min(1).max(RINGS_MAX);

/** A number of a corner, or a corner of a list that goes deeper. */
const numbers = z
  .unknown()
  .refine((given) => [given].flat().every((one) => typeof one === 'number'), 'Give numbers.')
  .meta({ type: 'number' });

/** What GeoJSON has of shapes: a list of rings, or for several shapes a list of those. */
const geometry = z
  .strictObject({
    type: oneOf(['Polygon', 'MultiPolygon']).describe('Polygon, or MultiPolygon.'),
    coordinates: z
      // One list more around each shape of a MultiPolygon: schemas of hosts have no word for either.
      .array(z.array(z.array(numbers)))
      .describe('As GeoJSON has them: lng before lat.'),
  })
  .pipe(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('Polygon'), coordinates: rings }),
      z.strictObject({
        type: z.literal('MultiPolygon'),
        coordinates: z.array(rings).min(1).max(SHAPES_MAX).refine(isWithinCorners, MANY_CORNERS),
      }),
    ]),
  );

/** What a seller and a buyer have agreed on beyond that: handed on as it is. */
const ext = agreedFields(EXT_MAX)
  .optional()
  .meta({ [BRIEF_MARK]: true, description: 'For the seller, as it is.' });

export const proximity = z
  .strictObject({
    lat: z.number().min(-90).max(90).optional().describe('Latitude, WGS 84.'),
    lng: z.number().min(-180).max(180).optional().describe('Longitude, WGS 84.'),
    label: shortText(255).optional().describe('What it is called.'),
    travel_time: z
      .strictObject({
        value: z.number().min(1).max(1_440).describe('How long.'),
        unit: oneOf(timeUnits).describe('min or hr.'),
      })
      .optional()
      .describe('As far as one gets in that time.'),
    transport_mode: oneOf(modes).optional().describe('How one gets there; needed with travel_time.'),
    radius: z
      .strictObject({
        value: z.number().positive().max(1e6).describe('How far.'),
        unit: oneOf(lengthUnits).describe('km, mi or m.'),
      })
      .optional()
      .describe('A circle.'),
    geometry: geometry.optional().describe('A shape of its own.'),
    ext,
  })
  .superRefine((place, problems) => {
    const say = (path: string, message: string) =>
      problems.addIssue({ code: 'custom', path: [path], message });
    const [first, ...others] = WAYS.filter((way) => place[way] !== undefined);
    if (first === undefined) say('radius', 'Required: give radius, travel_time or geometry.');
    for (const other of others) say(other, `Give one of them: there is ${first} already.`);
    if (first === undefined || first === 'geometry') return;
    for (const needed of neededFor(first)) {
      if (place[needed] === undefined) say(needed, `Required with ${first}.`);
    }
  });

function neededFor(way: 'travel_time' | 'radius') {
  return way === 'radius' ? (['lat', 'lng'] as const) : (['lat', 'lng', 'transport_mode'] as const);
}

function isWithinCorners(shapes: readonly (readonly (readonly unknown[])[])[]): boolean {
  return shapes.flat().reduce((sum, corners) => sum + corners.length, 0) <= CORNERS_OF_ALL_MAX;
}
