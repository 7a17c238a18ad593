import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';

/** Where the guide of each surface stands: below the prefix of its REST addresses, and no capability. */
export const guidePaths = mcpSurfaces.map((surface) => ({
  surface,
  path: `${surfaces[surface].prefix}/skill.md`,
}));

const GUIDE = new RegExp(
  `^(?:${guidePaths.map(({ path }) => path.replace('.', '\\.')).join('|')})/?(?:\\?|$)`,
);

/** Whether a URL asks for a guide: pages answer it, not REST. */
export function isGuide(url: string): boolean {
  return GUIDE.test(url);
}
