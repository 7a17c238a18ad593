import { beforeEach, describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { done } from '../../support/sellers/market.ts';

const MESSAGE = 'Please sign the IO.';
const ASKS = { status: 'input-required', task_id: 'task_1', message: MESSAGE };

describe('a change for which a seller needs something of the buyer first', () => {
  const there = boughtThere('Far');
  const { raises, status, mediaBuy } = there;
  beforeEach(() => there.orders());

  const task = (answer: object) =>
    there.seller.agent.on('get_task_status', () => ({ task_id: 'task_1', ...answer }));
  const home = async () => done(await there.buyer.get('/buyer/all-advertisers-home')).portfolio.waitingOnYou;
  const waitedFor = async () => {
    const { text } = await there.buyer.get('/buyer/events?follow=false');
    const told = text
      .split('\n')
      .filter((line) => line.startsWith('data:') && line.includes('approval.needed'));
    return told.map((line) => JSON.parse(line.slice('data:'.length)).waitsFor);
  };
  const asksBuyer = async () => {
    const { explanation, sourceMessage, pendingChange } = await mediaBuy();
    expect(explanation).toMatch(
      /^It runs\. The change asked for at \S+ waits for you: Agent needs something from you first, see sourceMessage; until then the buy stays as it is\. You: give it to the seller, naming sf:/,
    );
    expect([sourceMessage, pendingChange.status, pendingChange.reason]).toEqual([
      MESSAGE,
      'INPUT_REQUIRED',
      MESSAGE,
    ]);
    expect(await home()).toBe(1);
    expect((await status()).operational_status).toBe('attention_required');
  };

  test('waits for the buyer wherever it is read, where the answer to it says so', async () => {
    there.seller.agent.on('update_media_buy', () => ASKS);
    task(ASKS);
    await raises();

    await asksBuyer();
    expect(await waitedFor()).toEqual(['buyer']);
  });

  test('waits for the buyer from when its task says so, and for the seller again once that goes on', async () => {
    there.seller.undecided();
    await raises();
    expect([await home(), await waitedFor()]).toEqual([0, ['seller']]);

    task(ASKS);
    await status();
    await asksBuyer();
    expect(await waitedFor()).toEqual(['seller', 'buyer']);

    task({ status: 'working' });
    expect((await status()).operational_status).toBe('active');
    expect((await mediaBuy()).explanation).toMatch(/waits for Agent to confirm it/);
    expect([await home(), await waitedFor()]).toEqual([0, ['seller', 'buyer', 'seller']]);
  });

  test('waits for the buyer where the answer names the media buy and no task', async () => {
    there.seller.agent.on('update_media_buy', ({ media_buy_id }) => ({
      ...ASKS,
      task_id: undefined,
      media_buy_id,
    }));
    await raises();

    await asksBuyer();
  });
});
