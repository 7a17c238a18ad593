import { shortText } from '../../text.ts';

/** The suggestion that a change of a media buy follows, wherever a change is said: kept with the version it makes. */
export const suggestionId = shortText(255).optional().describe('The suggestion that it comes from.');
