/** Words that people ask with, and the words that capabilities are described with, both in the singular. */
const EVERYDAY: readonly (readonly [asked: string, used: string])[] = [
  [
    'performance report reporting statistic stat metric kpi analytic result view',
    'delivery delivered impression',
  ],
  ['spent cost spending paid', 'spend delivery delivered'],
  ['afford balance fund', 'credit'],
  ['daily yesterday today week weekly', 'day'],
  ['edit modify adjust extend raise lower rename', 'update change'],
  ['change', 'update'],
  ['touch touched', 'change happened'],
  ['remove disconnect rid', 'delete'],
  ['remove', 'drop'],
  ['stop halt', 'pause delete'],
  ['kill terminate abort', 'cancel'],
  ['block kick ban', 'suspend stop'],
  ['unpause continue restart', 'reactivate resume'],
  ['resume', 'reactivate'],
  ['turn switch', 'pause reactivate'],
  ['undelete unarchive undo', 'restore'],
  ['start new make add register open set', 'create'],
  ['connect', 'create source'],
  ['launch book purchase', 'execute buy'],
  ['ad inventory listing', 'product'],
  ['search find', 'discover search'],
  ['selection pick picked', 'choose chosen'],
  ['seller publisher shop vendor store', 'storefront'],
  ['client', 'advertiser'],
  ['notify notification alert callback subscribe', 'webhook'],
  ['arrive', 'delivery'],
  ['history', 'audit log'],
  ['confirmed accepted', 'status stand'],
  ['refused refusal rejected rejection declined fail failure', 'ordered stand'],
  ['sell', 'offer'],
  ['agree', 'accept'],
  ['overview dashboard', 'portfolio'],
  ['alive down', 'health'],
  ['offer', 'proposal'],
  ['withdraw', 'revoke'],
  ['deal', 'proposal'],
  ['server', 'source'],
  ['key password credential login', 'token'],
  ['delete revoke', 'archive'],
  ['stuck hang wait', 'stand pending approval'],
  ['bought', 'buyer'],
];

/** What a word that people ask with is called here; none where it is used as it is. */
export function usedInPlaceOf(wanted: string): ReadonlySet<string> {
  const meant = EVERYDAY.filter(([asked]) => asked.split(' ').includes(wanted));
  return new Set(meant.flatMap(([, used]) => used.split(' ')));
}
