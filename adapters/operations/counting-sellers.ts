import { SellerError, type Sellers } from '../../tools/domain/sellers/port.ts';
import type { Meter } from './meter.ts';

/** The sellers, each call of whom is counted by what it is and what became of it: whatever the port can do. */
export function countingSellers(sellers: Sellers, meter: Pick<Meter, 'seller'>): Sellers {
  return new Proxy(sellers, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]): Promise<unknown> => {
        try {
          const answer: unknown = await Reflect.apply(member, target, given);
          meter.seller(String(name), isRefusal(answer) ? 'refused' : 'ok');
          return answer;
        } catch (error) {
          meter.seller(String(name), error instanceof SellerError ? error.reason : 'failed');
          throw error;
        }
      };
    },
  });
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'refused';
}
