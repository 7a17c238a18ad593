import { describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { done } from '../../support/sellers/market.ts';

describe('a change that its seller refused', () => {
  const there = boughtThere('Far');
  const { orders, raises, asks, mediaBuy, status, buyPath, path } = there;
  const RAISE = /The change asked for at \S+ was refused/;
  const PAUSE = /The pause asked for at \S+ was refused/;

  const rename = async (name: string) => done(await there.buyer.patch(buyPath(), { name }));
  /** What it is asked for from now on, its seller decides on later. */
  const bought = async () => {
    await orders();
    there.seller.undecided();
  };
  const refuses = async () => {
    there.seller.agent.on('get_task_status', ({ task_id }) => ({
      task_id,
      status: 'failed',
      message: 'Nope.',
    }));
    await status();
  };
  const callsOff = async () => {
    const { mediaBuyId, packageId } = there;
    const mediaBuys = [{ mediaBuyId, action: 'cancel', packageIds: [packageId] }];
    done(await there.buyer.put(path(), { mediaBuys }));
  };
  const shown = async () => {
    const told = done(await there.buyer.get(`${path()}/media-buy-status?detail=full`));
    const [{ change, blockers, source_message: said }] = told.media_buys;
    return { change, blockers, said };
  };

  test('is told after the media buy was renamed, which no seller is asked', async () => {
    await bought();
    await raises();
    await rename('Winter');
    expect((await status()).media_buys[0]).toMatchObject({ updated: false });
    there.seller.agent.on('get_task_status', ({ task_id }) => ({
      task_id,
      status: 'failed',
      message: 'Nope.',
    }));
    expect((await status()).media_buys[0]).toMatchObject({ updated: true });

    const { explanation, sourceMessage, errorOwner } = await mediaBuy();
    expect(explanation).toMatch(
      /^It runs\. The change asked for at \S+ was refused for reasons of the seller, see sourceMessage\. You: /,
    );
    expect({ sourceMessage, errorOwner }).toEqual({ sourceMessage: 'Nope.', errorOwner: 'seller' });
    expect(await shown()).toEqual({
      change: expect.objectContaining({ action: 'update', state: 'refused', message: 'Nope.' }),
      blockers: ['change_refused'],
      said: undefined,
    });
    await rename('Spring');
    expect((await mediaBuy()).explanation).toMatch(RAISE);
  });

  test('is told beside another that was refused after it, with where its message stands', async () => {
    await bought();
    await raises();
    await asks('pause');
    await refuses();

    const { explanation, sourceMessage } = await mediaBuy();

    expect(explanation).toMatch(
      /^It runs\. The pause asked for at \S+ was refused for reasons of the seller, see sourceMessage\. You: .* The change asked for at \S+ was refused for reasons of the seller, see its message in changes with detail full\. You: /,
    );
    expect(sourceMessage).toBe('Nope.');
    expect(await shown()).toEqual({
      change: expect.objectContaining({ action: 'pause', state: 'refused' }),
      blockers: ['change_refused'],
      said: expect.stringMatching(
        /^The change asked for at \S+ was refused\. media_buy_get says who has to do what\.$/,
      ),
    });
  });

  test('is told after a pause was taken back, and what was asked of that refused with it', async () => {
    await bought();
    await raises();
    await asks('pause');
    await asks('reactivate');
    await refuses();

    const { explanation } = await mediaBuy();

    expect(explanation).toMatch(RAISE);
    expect(explanation).not.toMatch(/pause|reactivation|nothing is to be done/);
    expect((await shown()).blockers).toEqual(['change_refused']);
  });

  test('is told while another waits for its seller, which is shown first', async () => {
    await bought();
    await raises();
    await refuses();
    there.seller.agent.on('get_task_status', ({ task_id }) => ({ task_id, status: 'working' }));
    await asks('pause');

    const { explanation } = await mediaBuy();

    expect(explanation).toMatch(
      /The pause asked for at \S+ waits for Agent.*The change asked for at \S+ was/,
    );
    expect(await shown()).toEqual({
      change: expect.objectContaining({ action: 'pause', state: 'waiting' }),
      blockers: ['change_refused'],
      said: expect.stringMatching(RAISE),
    });
  });

  test.each([
    { what: 'it is asked for again', asked: () => raises(150), isTold: false },
    { what: 'the package is called off', asked: callsOff, isTold: false },
    { what: 'the whole is called off', asked: () => there.act('cancel'), isTold: false },
    { what: 'it is held', asked: () => asks('pause'), isTold: true },
    { what: 'its end is moved', asked: movesTheEnd, isTold: true },
  ])('is told after $what and that was taken: $isTold', async ({ asked, isTold }) => {
    await bought();
    await raises();
    await refuses();
    there.seller.willing();

    await asked();

    const { explanation } = await mediaBuy();
    expect(RAISE.test(explanation)).toBe(isTold);
    expect(((await shown()).blockers as string[]).includes('change_refused')).toBe(isTold);
  });

  test('is told no more while the same is under way, and once for both where that is refused too', async () => {
    await bought();
    await asks('pause');
    await refuses();
    there.seller.agent.on('get_task_status', ({ task_id }) => ({ task_id, status: 'working' }));
    await asks('pause');
    expect((await mediaBuy()).explanation).not.toMatch(PAUSE);

    await refuses();

    expect((await mediaBuy()).explanation.match(/was refused/g)).toHaveLength(1);
  });

  async function movesTheEnd(): Promise<void> {
    const { endTime } = await mediaBuy();
    const end_time = new Date(Date.parse(endTime) - 86_400_000).toISOString();
    done(await there.buyer.patch(buyPath(), { end_time }));
  }
});
