import { z } from 'zod';
import { oneOf } from '../campaigns/constraint-fields.ts';
import { shortText } from '../text.ts';

/** A place, and how far around it (AdCP 3.0, core/targeting, geo_proximity): one of three ways to say so. */

const timeUnits = ['min', 'hr'] as const;
const lengthUnits = ['km', 'mi', 'm'] as const;
const modes = ['walking', 'cycling', 'driving', 'public_transport'] as const;
const shapes = ['Polygon', 'MultiPolygon'] as const;

const WAYS = ['travel_time', 'radius', 'geometry'] as const;

/** Corners of one shape: as many as draw a coast, and no more than an order should carry. */
const CORNERS_MAX = 2_000;
/** A ring comes back to where it began. */
const RING_MIN = 4;

const geometry = z
  .strictObject({
    type: oneOf(shapes).describe('Polygon or MultiPolygon.'),
    coordinates: z.array(z.unknown()).min(1).max(CORNERS_MAX).describe('As in GeoJSON: lng before lat.'),
  })
  .refine(
    ({ type, coordinates }) => {
      const rings = type === 'Polygon' ? coordinates : coordinates.flatMap(listOf);
      return rings.length > 0 && rings.every(isRing);
    },
    { message: 'Give closed rings of [lng, lat], as GeoJSON has them.', path: ['coordinates'] },
  )
  .refine(({ coordinates }) => cornersOf(coordinates) <= CORNERS_MAX, {
    message: `Give ${CORNERS_MAX} corners at the most.`,
    path: ['coordinates'],
  });

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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRing(value: unknown): boolean {
  const ring = listOf(value);
  const [first] = ring;
  return (
    ring.length >= RING_MIN &&
    ring.every(isCorner) &&
    JSON.stringify(first) === JSON.stringify(ring[ring.length - 1])
  );
}

function isCorner(value: unknown): boolean {
  const [lng, lat, ...more] = listOf(value);
  return isWithin(lng, 180) && isWithin(lat, 90) && more.length === 0;
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= most;
}

/** Positions in lists of lists: a list that begins with a number is one. */
function cornersOf(list: readonly unknown[]): number {
  if (typeof list[0] === 'number') return 1;
  return list.reduce<number>((sum, inner) => sum + cornersOf(listOf(inner)), 0);
}
