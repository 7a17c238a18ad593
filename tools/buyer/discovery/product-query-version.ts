import { z } from 'zod';
import { majorNotSpoken } from '../../core/errors/change-refusals.ts';

/** The AdCP that queries are answered in. */
const MAJOR = 3;

/** Any release: which of them are spoken is no question of form. */
const RELEASE = /^\d{1,3}\.\d{1,4}(?:\.\d{1,4})?(?:-[\w.]{1,32})?$/;

/** The AdCP that a caller speaks. */
export const pins = {
  adcp_version: z
    .string()
    .regex(RELEASE, 'Give a release of AdCP, such as 3.1.')
    .optional()
    .describe('The AdCP that is spoken: any 3.x.'),
  adcp_major_version: z.number().int().min(0).max(999).optional().describe('Its major version, 3.'),
};

interface Pinned {
  readonly adcp_version?: string | undefined;
  readonly adcp_major_version?: number | undefined;
}

/** Any release of the major version is spoken: callers pass over what they do not know of an answer. */
export function requireSpoken({ adcp_version: release, adcp_major_version: major }: Pinned): void {
  if (release !== undefined && Number.parseInt(release, 10) !== MAJOR) {
    throw majorNotSpoken('adcp_version', { given: release, spoken: MAJOR });
  }
  if (major !== undefined && major !== MAJOR) {
    throw majorNotSpoken('adcp_major_version', { given: String(major), spoken: MAJOR });
  }
}
