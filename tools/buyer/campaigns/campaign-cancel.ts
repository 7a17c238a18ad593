import { defineTool } from '../../core/define.ts';
import { stopping } from './stopping.ts';

export const campaignCancel = defineTool(
  stopping({
    event: 'cancel',
    action: 'cancel',
    title: 'Cancel campaign',
    description:
      'Calls a campaign off for good: every media buy that a seller holds is canceled there. What was delivered is ' +
      'paid, and it cannot be taken back; campaign_pause holds it for a while. Where a seller refused, call again: ' +
      'that is possible as long as a media buy lives, wherever the campaign stands.',
    reasonIs: 'Why: told to the sellers.',
  }),
);
