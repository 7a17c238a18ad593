import { defineTool } from '../../core/define.ts';
import { stopping } from './stopping.ts';

export const campaignPause = defineTool(
  stopping({
    event: 'pause',
    action: 'pause',
    title: 'Pause campaign',
    description:
      'Holds a campaign that runs: every ACTIVE media buy is paused at its seller. Returns what came of it for each; ' +
      'what a seller has not confirmed is followed up by itself, and where one refused, call again. Go on with ' +
      'campaign_reactivate.',
    reasonIs: 'Why.',
  }),
);
