import { type Config, settings, variableOf } from './config.ts';

/** Settings that can be used, and of which one makes another one vain. */
export interface Doubt {
  readonly said: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Of the time that a stop has, so much is left for answering those whose sellers have not answered. */
const ANSWERING_MS = 2_000;

/** Milliseconds after the begin of a stop in which sellers may still answer. */
export function askedForMs({ shutdownGraceMs }: Pick<Config, 'shutdownGraceMs'>): number {
  return shutdownGraceMs - Math.min(ANSWERING_MS, shutdownGraceMs / 4);
}

type Count = { [K in keyof Config]-?: Config[K] extends number ? K : never }[keyof Config];

/** Each is to be no more than the other: else it never comes to it. */
const NO_MORE_THAN: readonly (readonly [Count, Count])[] = [
  ['sellerConnectTimeoutMs', 'sellerTimeoutMs'],
  ['sellerTimeoutMs', 'discoveryTimeoutMs'],
  ['webhooksPerAccount', 'webhooksAtOnce'],
  ['webhooksTroubledKept', 'webhooksTroubledShare'],
  ['streamsPerAccount', 'streamsAtOnce'],
  ['mcpSessionsPerCredential', 'mcpSessionsPerOrganization'],
  ['openSessions', 'storedSessions'],
  ['bytesPerSeller', 'bytesPerSession'],
  ['answerBytes', 'answerBytesPerAccount'],
  ['sellerVersionsPerBuy', 'versionsPerBuy'],
  ['sessionIdleMs', 'sessionMs'],
  ['serviceTokenMs', 'serviceTokenMaxMs'],
];

/** What the settings contradict each other in: the service works, and not as they say. */
export function doubtsIn(config: Config): readonly Doubt[] {
  return [...stopDoubts(config), ...NO_MORE_THAN.flatMap((pair) => pairDoubt(config, pair))];
}

function stopDoubts(config: Config): Doubt[] {
  return (['sellerTimeoutMs', 'webhookTimeoutMs'] as const).flatMap((name) => {
    if (config[name] < askedForMs(config)) return [];
    const least = config[name] + 2 * ANSWERING_MS;
    return {
      said: `A stop does not wait as long as one call may take: ${shown(config, 'shutdownGraceMs')}, ${shown(config, name)}.`,
      remedy: `Set SHUTDOWN_GRACE_MS to ${least} or more, or ${named(name)} lower; what stops the process has to wait 5 s longer than that.`,
    };
  });
}

function pairDoubt(config: Config, [less, more]: readonly [Count, Count]): Doubt[] {
  if (config[less] <= config[more]) return [];
  return [
    {
      said: `${shown(config, less)} is never reached: ${shown(config, more)} comes first.`,
      remedy: `Set ${named(more)} to ${config[less]} or more, or ${named(less)} lower.`,
    },
  ];
}

function shown(config: Config, name: Count): string {
  return `${named(name)}=${config[name]}`;
}

function named(name: Count): string {
  return variableOf(name, settings.shape[name]);
}
