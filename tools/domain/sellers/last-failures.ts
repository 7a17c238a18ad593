import type { SourceFailure } from '../../../store/inventory-sources.ts';
import { noteSellerFailure } from '../../../store/unscoped/seller-standings.ts';
import type { Services } from '../../core/context.ts';
import { nowOf } from '../../core/moments.ts';
import { boundedText } from '../text.ts';
import { StoppedError } from './deadline.ts';
import { type BuyingParty, type Seller, SellerError } from './port.ts';

/** That an agent failed, or refused what it was asked for: the seller whose agent it is sees the last time of each. */

export interface Asked {
  readonly seller: Seller;
  readonly task: SourceFailure['task'];
  readonly party: BuyingParty;
}

interface Said {
  readonly code?: string;
  readonly message: string;
}

/** How a source failed. */
export interface Failed {
  readonly sourceId: string;
  readonly failure: Omit<SourceFailure, 'at'>;
}

const CODE_MAX = 64;
const WORDS_MAX = 200;

/** The code with which sellers begin where they refuse (AdCP, error codes). */
const CODE = /^([A-Z][A-Z0-9_]{2,63}): /;

/** What is kept of it. For whom its agent was asked is nothing for the eyes of a seller. Pure. */
export function failedBy({ seller, task, party }: Asked, { code = 'error', message }: Said): Failed {
  const [begins = '', own = code] = CODE.exec(message) ?? [];
  const words = withoutParty(message.slice(begins.length), party);
  const failure = { task, code: boundedText(own, CODE_MAX), words: boundedText(words, WORDS_MAX) };
  return { sourceId: seller.source.id, failure };
}

/** Shorter names stand in other words. */
const NAME_MIN = 4;

function withoutParty(text: string, { brand, operator, accountId = '' }: BuyingParty): string {
  const names = [accountId, brand, operator].filter(({ length }) => length >= NAME_MIN);
  return names
    .sort((one, other) => other.length - one.length)
    .reduce((shown, name) => shown.replaceAll(new RegExp(escaped(name), 'gi'), '[buyer]'), text);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Asks a seller, and notes it where it refuses or fails. */
export async function noting<A extends { readonly kind: string }>(
  services: Services,
  asked: Asked,
  ask: () => Promise<A>,
): Promise<A> {
  try {
    const answer = await ask();
    await noteRefusal(services, asked, answer);
    return answer;
  } catch (error) {
    // Who was cut off by the end of the process did not fail.
    if (error instanceof SellerError && !(error instanceof StoppedError)) {
      const { reason: code, message } = error;
      await storeFailures(services, [failedBy(asked, { code, message })]);
    }
    throw error;
  }
}

/** Notes an answer that is a refusal. */
export async function noteRefusal(
  services: Services,
  asked: Asked,
  { kind, code = 'rejected', message = '' }: { readonly kind: string } & Partial<Said>,
): Promise<void> {
  if (kind === 'refused') await storeFailures(services, [failedBy(asked, { code, message })]);
}

interface Alike extends Pick<Failed, 'failure'> {
  readonly ids: readonly string[];
}

/** Stores how sources failed, those that failed alike together. What came of asking them does not hang on it. */
export async function storeFailures(
  { store, ports, log }: Services,
  failed: readonly Failed[],
): Promise<void> {
  const alike = new Map<string, Alike>();
  for (const { sourceId, failure } of failed) {
    const key = JSON.stringify(failure);
    const { ids = [] } = alike.get(key) ?? {};
    alike.set(key, { failure, ids: [...ids, sourceId] });
  }
  const at = nowOf(ports.clock);
  try {
    for (const { failure, ids } of alike.values()) {
      await noteSellerFailure(store.db, ids, { ...failure, at });
    }
  } catch (error) {
    log.warn({ err: error }, 'how sellers failed could not be stored');
  }
}
