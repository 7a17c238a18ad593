import type { MediaBuyStatus } from '../../../store/media-buys.ts';

/** How urgent it is: what failed, what waits for the account itself, and what is good to know. */
export const tones = ['critical', 'needsAction', 'info'] as const;

/** States of media buys in which somebody has to do something. */
export const heededStatuses = [
  'FAILED',
  'REJECTED',
  'INPUT_REQUIRED',
  'PENDING_APPROVAL',
] as const satisfies readonly MediaBuyStatus[];

/** What there is of an advertiser, each as a count. */
export interface Standing {
  readonly campaigns: number;
  readonly drafts: number;
  /** Media buys of campaigns that go on. */
  readonly buys: Readonly<Partial<Record<MediaBuyStatus, number>>>;
  /** Further ones, whose sellers need something for a change of them. */
  readonly asked: number;
  /** Media buys that go on at their sellers though they, or their campaigns, were stopped. */
  readonly runningOn: RunningOn;
  /** Spends that another person has to allow. */
  readonly waitingSpends: number;
}

export interface RunningOn {
  readonly inCanceled: number;
  readonly inPaused: number;
  /** In campaigns that go on, or are over. */
  readonly afterEnd: number;
  /** Of which nobody knows whether their sellers took the orders, in cancelled campaigns. */
  readonly unknown: number;
}

export interface Attention {
  readonly flags: { readonly label: string; readonly tone: (typeof tones)[number] }[];
  /** The one thing to do next; undefined where nothing has to be done. */
  readonly nextAction: string | undefined;
  /** How much of it the account itself has to do. */
  readonly waitingOnYou: number;
}

interface Heeded {
  readonly count: number;
  readonly tone: (typeof tones)[number];
  readonly label: string;
  readonly action?: string;
}

/** What an advertiser needs, the most urgent first. */
export function attentionOf(standing: Standing): Attention {
  const heeded = heededOf(standing).filter(({ count }) => count > 0);
  return {
    flags: heeded.map(({ count, label, tone }) => ({ label: `${count} ${label}`, tone })),
    nextAction: heeded.find(({ action }) => action !== undefined)?.action ?? actionWithout(standing),
    waitingOnYou: heeded.reduce((sum, { action, count }) => (action === undefined ? sum : sum + count), 0),
  };
}

function heededOf({ buys, asked, runningOn, waitingSpends }: Standing): readonly Heeded[] {
  const { FAILED = 0, REJECTED = 0, INPUT_REQUIRED = 0, PENDING_APPROVAL = 0 } = buys;
  return [
    {
      count: runningOn.inCanceled,
      tone: 'critical',
      label: 'running on in cancelled campaigns',
      action: 'Call campaign_cancel again for what still runs in cancelled campaigns',
    },
    {
      count: runningOn.unknown,
      tone: 'critical',
      label: 'in cancelled campaigns of which nobody knows whether their sellers took them',
      action: 'Execute the cancelled campaigns again: what comes of their orders is called off at once',
    },
    {
      count: runningOn.inPaused,
      tone: 'critical',
      label: 'running on in paused campaigns',
      action: 'Call campaign_pause again for what still runs in paused campaigns',
    },
    {
      count: runningOn.afterEnd,
      tone: 'critical',
      label: 'going on at their sellers after their end',
      action: 'Call off what goes on after its end, or ask its sellers why',
    },
    {
      count: FAILED + REJECTED,
      tone: 'critical',
      label: 'failed or rejected',
      action: 'Give what failed other products, or execute its campaign again',
    },
    {
      count: INPUT_REQUIRED + asked,
      tone: 'needsAction',
      label: 'asked for input by a seller',
      action: 'Give the sellers what they ask for',
    },
    {
      count: waitingSpends,
      tone: 'needsAction',
      label: 'above the spend limit',
      action: 'Have another person allow the spend',
    },
    { count: PENDING_APPROVAL, tone: 'info', label: 'with a seller for approval' },
  ];
}

function actionWithout({ campaigns, drafts }: Standing): string | undefined {
  if (drafts > 0) return 'Go on with the draft';
  return campaigns === 0 ? 'Create a campaign' : undefined;
}
