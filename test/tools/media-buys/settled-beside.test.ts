import { describe, expect, test } from 'vitest';
import { worldOfTwo } from '../../support/buying/world-of-two.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { done } from '../../support/sellers/market.ts';

/** A media buy of 100 and 100 whose seller takes a raise and a pause, and whose answers to both are lost. */
describe('changes that nobody answered', () => {
  const world = worldOfTwo();

  async function losesBoth(): Promise<void> {
    const { agent } = world.seller.far;
    let status = 'active';
    agent.on('get_media_buys', () => ({ media_buys: [{ ...world.seller.shown(), status }] }));
    agent.on('update_media_buy', ({ packages: asked = [], paused }, request) => {
      const updates = asked as readonly { package_id: string; budget: number }[];
      world.seller.packages = world.seller.packages.map((part) => ({
        ...part,
        ...updates.find(({ package_id }) => package_id === part.package_id),
      }));
      if (paused === true) status = 'paused';
      request.socket.destroy();
      return new Promise(() => {});
    });
    await world.buys({ budget: { total: 600 } });
    await raises(200);
    await world.buyer.post(`/buyer/media-buys/${world.buy.mediaBuyId}/pause`);
    agent.on('update_media_buy', () => ({ adcp_error: { code: 'INVALID_STATE', message: 'Nope.' } }));
  }
  const raises = (budget: number) => world.change({ packages: [{ packageId: 'pkg_1', budget }] });
  const states = async () =>
    (await world.read()).changes.map(({ action, state }: { action: string; state: string }) => [
      action,
      state,
    ]);

  test('are confirmed by what their seller shows once another was refused, as the media buy is shown', async () => {
    await losesBoth();
    expect(await states()).toEqual([
      ['pause', 'unknown'],
      ['update', 'unknown'],
    ]);

    done(await raises(210));

    expect(await states()).toEqual([
      ['update', 'refused'],
      ['pause', 'confirmed'],
      ['update', 'confirmed'],
    ]);
    const { status, budget, explanation } = await world.read();
    expect({ status, budget }).toEqual({ status: 'PAUSED', budget: 300 });
    expect(explanation).toMatch(
      /^It is held, and nothing is spent\. You: .* The change asked for at \S+ was refused: change what/,
    );
    expect(explanation).not.toMatch(/was not answered|given up/);
    expect(await world.committed()).toBe(300);
    await world.isSound();
  });

  test('are told apart in the audit log, though another call brought the word', async () => {
    await losesBoth();

    done(await raises(210));

    const entries = await auditOf(world.server, world.buyer, 'campaign_update');
    const confirmed = entries
      .filter(({ resource_id }) => resource_id === world.buy.mediaBuyId)
      .map(({ changes }) => JSON.parse(changes ?? '{}'))
      .filter(({ change }) => change?.to === 'confirmed');
    expect(confirmed).toHaveLength(2);
    expect(confirmed).toContainEqual({
      asked: { from: null, to: 'pause' },
      change: { from: 'unknown', to: 'confirmed' },
    });
    expect(confirmed.find(({ asked }) => asked === undefined)).toHaveProperty('budget');
    await world.isSound();
  });

  test('stay unheard of where their seller shows the media buy otherwise', async () => {
    await losesBoth();
    world.seller.lists = (packages) => packages.map((part) => ({ ...part, budget: 100 }));

    done(await raises(210));

    expect(await states()).toEqual([
      ['update', 'refused'],
      ['pause', 'confirmed'],
      ['update', 'unknown'],
    ]);
    expect(await world.committed()).toBe(300);
    await world.isSound();
  });
});
