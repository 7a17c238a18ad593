import { channels } from './text.ts';

/** The words that buyers use for what runs on several channels, beside the channels of AdCP. */
const mediaWords = ['video', 'audio'] as const;
export type MediaWord = (typeof mediaWords)[number];

interface Medium {
  /** The channel that is meant where one is to be named. */
  readonly channel: (typeof channels)[number];
  /** Whatever runs there is of the medium. */
  readonly always: readonly string[];
  /** What runs there is of the medium where a format of the product says so. */
  readonly sometimes: readonly string[];
}

const media: Readonly<Record<MediaWord, Medium>> = {
  video: {
    channel: 'olv',
    always: ['olv', 'ctv', 'linear_tv', 'cinema'],
    sometimes: ['social', 'gaming', 'display', 'retail_media', 'dooh'],
  },
  audio: {
    channel: 'streaming_audio',
    always: ['streaming_audio', 'radio', 'podcast'],
    sometimes: ['gaming', 'display', 'retail_media'],
  },
};

/** Channels and words for several of them, as a buyer or a seller writes them. */
export const channelWords = [...channels, ...mediaWords] as const;

/** The one channel that a word stands for. */
export function channelOf(word: (typeof channelWords)[number]): (typeof channels)[number] {
  return isMedium(word) ? media[word].channel : word;
}

/** The channels a seller is asked for: all on which what is wanted may run. */
export function channelsAsked(wanted: readonly string[]): string[] {
  const asked = wanted.flatMap((word) =>
    isMedium(word) ? [...media[word].always, ...media[word].sometimes] : [word],
  );
  return [...new Set(asked)];
}

/** Whether a product runs on a channel that is wanted, or is of a medium that is. */
export function runsOn(
  product: { readonly channels: readonly string[]; readonly formats: readonly string[] },
  wanted: readonly string[],
): boolean {
  return wanted.some((word) => {
    if (!isMedium(word)) return product.channels.includes(word);
    const { always } = media[word];
    return (
      product.channels.some((channel) => always.includes(channel)) ||
      product.formats.some((format) => format.toLowerCase().includes(word))
    );
  });
}

/** Words for channels that people write otherwise than they are called. */
const EVERYDAY: Readonly<Partial<Record<string, string>>> = {
  ctv: 'connected tv television',
  linear_tv: 'television',
  ooh: 'outdoor',
  dooh: 'outdoor',
};

/** What a product runs on, in the words that people use for it. */
export function wordsForChannels(product: Parameters<typeof runsOn>[0]): string {
  const named = product.channels.flatMap((channel) => [channel, EVERYDAY[channel] ?? '']);
  return [...named, ...mediaWords.filter((word) => runsOn(product, [word]))].join(' ');
}

function isMedium(word: string): word is MediaWord {
  return mediaWords.some((medium) => medium === word);
}
