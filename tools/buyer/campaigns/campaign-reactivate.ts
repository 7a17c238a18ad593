import { defineTool } from '../../core/define.ts';
import { stopping } from './stopping.ts';

export const campaignReactivate = defineTool(
  stopping({
    event: 'reactivate',
    action: 'resume',
    title: 'Reactivate campaign',
    description:
      'Lets a paused campaign go on: every PAUSED media buy is resumed at its seller. Returns what came of it for ' +
      'each. Follow it with campaign_get_media_buy_status.',
    reasonIs: 'Why: kept in the log.',
    instead: 'Only a PAUSED campaign can be reactivated; campaign_get says where it stands.',
  }),
);
