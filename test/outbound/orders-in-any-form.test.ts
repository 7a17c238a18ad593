import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { setNamesFree } from '../support/sellers/names-set-free.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUY = { media_buy_id: 'far_1', status: 'active', packages: [] };
const NOTHING_BUT_NULLS = {
  status: null,
  packages: null,
  media_buy_status: null,
  adcp_error: null,
  errors: null,
};

describe('an order whose answer is not as the protocol has it', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  beforeEach(async () => {
    await setNamesFree(server);
    far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const refresh = async (campaignId: string) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];

  /** The one buy of a campaign whose order was answered so, as the campaign shows it, and where it stands. */
  async function ordered(answer: object) {
    far.agent.on('create_media_buy', () => answer);
    const { storefrontId, agentId } = far;
    const campaignId = await draftOf(buyer, { advertiserId, storefrontId, agentId, productId: 'far-1' });
    const result = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    const buy = campaign.mediaBuys[0];
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}`));
    return { campaignId, result, buy, mediaBuy };
  }

  test.each([
    ['null in every other field', { media_buy_id: 'far_1', ...NOTHING_BUT_NULLS }, 'pending_start'],
    ['a package without a budget', { ...BUY, packages: [{ package_id: 'p', budget: null }] }, 'active'],
    ['packages that are none', { ...BUY, packages: [null, 7, 'p', { package_id: 7 }, {}] }, 'active'],
    ['packages that are no list', { ...BUY, packages: { p: 1 } }, 'active'],
    ['a status that is no word', { ...BUY, status: { is: 'active' } }, 'pending_start'],
    ['an error beside it', { ...BUY, adcp_error: { code: 'LATE', message: 'Slow.' } }, 'active'],
    ['warnings beside it', { ...BUY, errors: [{ code: 'LATE', message: 'Slow.' }] }, 'active'],
    ['the buy in a field of its own', { success: true, media_buy: BUY }, 'active'],
    [
      'the buy in a field, itself without a status',
      { success: true, media_buy: { media_buy_id: 'far_1' } },
      'pending_start',
    ],
    ['the buy as the result of a task', { status: 'completed', result: BUY }, 'active'],
    ['a number for its id', { media_buy_id: 4711, status: 'active' }, 'active'],
    ['its status in capitals', { ...BUY, status: 'ACTIVE' }, 'active'],
    ['the state of the task in its status', { ...BUY, status: 'completed' }, 'pending_start'],
    [
      'both states',
      { ...BUY, status: 'completed', media_buy_status: 'pending_creatives' },
      'pending_creatives',
    ],
    ['an earlier word, pending_activation', { ...BUY, status: 'pending_activation' }, 'pending_start'],
    ['an earlier word, ready', { ...BUY, status: 'ready' }, 'pending_start'],
    ['an earlier word, scheduled', { ...BUY, status: 'scheduled' }, 'pending_start'],
    [
      'an earlier word and a deadline',
      { ...BUY, status: 'scheduled', creative_deadline: '2026-12-09' },
      'pending_creatives',
    ],
    [
      'an earlier word and formats that are missing',
      { ...BUY, status: 'ready', packages: [{ package_id: 'p', format_ids_to_provide: [{ id: 'f' }] }] },
      'pending_creatives',
    ],
  ])('is a buy with %s', async (_what, answer, adcpStatus) => {
    const { result, mediaBuy } = await ordered(answer);

    expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1, newStatus: 'ACTIVE' });
    expect(mediaBuy).toMatchObject({ status: 'ACTIVE', adcpStatus });
    expect(mediaBuy.adcpMediaBuyId).toMatch(/^(far_1|4711)$/);
  });

  test.each([
    ['failed', { ...BUY, status: 'failed' }],
    ['rejected', { ...BUY, status: 'rejected', message: 'Not beside the news.' }],
    ['canceled', { ...BUY, status: 'canceled' }],
    ['FAILED', { ...BUY, status: 'FAILED', errors: [{ code: 'POLICY_VIOLATION', message: 'No.' }] }],
    ['failed around it', { status: 'failed', media_buy: { media_buy_id: 'far_1' } }],
    ['failed in it', { status: 'completed', result: { ...BUY, status: 'failed' } }],
    ['failed as the status of the buy', { ...BUY, status: 'completed', media_buy_status: 'failed' }],
  ])('waits with the word %s beside its id, is asked for, and never ordered twice', async (_what, answer) => {
    const { campaignId, result, mediaBuy } = await ordered(answer);
    const orders = () => far.agent.calls.filter(({ tool }) => tool === 'create_media_buy').length;
    const before = orders();
    expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1, newStatus: 'ACTIVE' });
    expect(mediaBuy).toMatchObject({ status: 'PENDING_APPROVAL', adcpMediaBuyId: 'far_1' });

    const again = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    expect(again).toMatchObject({ newStatus: 'ACTIVE', reason: 'no_media_buys_to_execute' });
    expect(orders()).toBe(before);
    far.agent.on('get_media_buys', () => ({ media_buys: [BUY] }));
    expect(await refresh(campaignId)).toMatchObject({
      internal_status: 'ACTIVE',
      adcp_media_buy_id: 'far_1',
    });
  });

  test('keeps what its seller said beside the id of a buy that waits to be asked for', async () => {
    const error = { code: 'POLICY_VIOLATION', message: 'Not beside the news.' };
    const { buy } = await ordered({ ...BUY, status: 'rejected', error });
    const { buy: silent } = await ordered({ ...BUY, media_buy_id: 'far_2', status: 'failed' });

    expect(buy).toMatchObject({ sourceMessage: 'POLICY_VIOLATION: Not beside the news.' });
    expect(silent.sourceMessage).toBe(
      'The order was answered with “failed” and with a media buy: the seller is asked what became of that.',
    );
  });

  test.each([
    [
      'null beside its errors',
      { adcp_error: null, errors: [{ code: 'POLICY_VIOLATION', message: 'No.', recovery: null }] },
    ],
    ['small letters', { errors: [{ code: 'policy_violation', message: 'No.' }], status: 'failed' }],
    [
      'entries that are none beside it',
      { errors: [null, 'x', {}, { code: 'POLICY_VIOLATION', message: 'No.' }] },
    ],
    [
      'the task id of a task that failed',
      { adcp_error: { code: 'POLICY_VIOLATION', message: 'No.' }, status: 'submitted', task_id: 't' },
    ],
  ])('is refused with %s', async (_what, answer) => {
    const { result, buy } = await ordered(answer);

    expect(result.errors[0].message).toBe('POLICY_VIOLATION: No.');
    expect(buy).toMatchObject({ status: 'FAILED', errorCode: 'source_rejected' });
  });

  test.each([
    ['validation_error', 'Budget too small.', 'invalid_request'],
    ['validation_error', 'Product(s) not found: nope', 'product_no_longer_available'],
    ['product_not_found', 'Gone.', 'product_no_longer_available'],
  ])('is refused with %s and “%s” for the reason %s', async (code, message, errorCode) => {
    const { buy } = await ordered({ errors: [{ code, message }], status: 'failed' });

    expect(buy).toMatchObject({ status: 'FAILED', errorCode });
  });

  test.each([
    ['submitted', 'PENDING_APPROVAL'],
    ['working', 'PENDING_APPROVAL'],
    ['input-required', 'INPUT_REQUIRED'],
  ])(
    'that is %s waits as %s, keeps the seller’s words, and becomes what the task came to',
    async (task, status) => {
      const message = 'Which shop is it for?';
      const { campaignId, result, buy } = await ordered({
        status: task,
        task_id: 'task_1',
        message,
        errors: null,
      });
      far.agent.on('tasks_get', () => ({
        status: 'completed',
        result: { ...BUY, packages: null },
        error: null,
      }));

      const news = await refresh(campaignId);

      expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(buy).toMatchObject({ status, sourceMessage: message });
      expect(buy).not.toHaveProperty('errorCode');
      expect(news).toMatchObject({ internal_status: 'ACTIVE', adcp_media_buy_id: 'far_1' });
    },
  );

  const BROKEN = 'Our server of that shelf is gone.';
  test.each([
    ['REJECTED', { status: 'rejected', rejection_reason: BROKEN }, BROKEN],
    ['CANCELED', { status: 'canceled', cancellation: { canceled_by: 'seller', reason: BROKEN } }, BROKEN],
    ['CANCELED', { status: 'canceled', cancellation: { canceled_by: 'buyer', reason: BROKEN } }, undefined],
  ])('that its seller ends is %s, for the reason it tells: %j', async (status, told, reason) => {
    const { campaignId, buy } = await ordered(BUY);
    far.agent.on('get_media_buys', () => ({ media_buys: [{ ...BUY, ...told }] }));
    expect(await refresh(campaignId)).toMatchObject({ internal_status: status });

    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}`));

    expect(mediaBuy.sourceMessage).toBe(reason);
  });

  const REFUSAL = { code: 'POLICY_VIOLATION', message: 'No.' };
  test.each([
    ['failed, in `error`', { status: 'failed', error: REFUSAL }],
    ['failed, in `errors`', { status: 'failed', errors: [REFUSAL] }],
    ['failed, in `adcp_error`', { status: 'failed', adcp_error: REFUSAL }],
    ['rejected, in `errors`', { status: 'rejected', errors: [REFUSAL] }],
    ['completed, in `errors`', { status: 'completed', errors: [REFUSAL] }],
    ['completed, in its result', { status: 'completed', result: { errors: [REFUSAL] } }],
  ])('is refused once its task says so: %s', async (_what, answer) => {
    const { campaignId } = await ordered({ status: 'submitted', task_id: 'task_1' });
    far.agent.on('tasks_get', () => ({ task_id: 'task_1', ...answer }));

    expect(await refresh(campaignId)).toMatchObject({ internal_status: 'REJECTED', source_message: 'No.' });
  });

  test('that is submitted in a field of its own waits, and asks after its task', async () => {
    const { campaignId, buy } = await ordered({
      success: true,
      task: { task_id: 't_9', status: 'submitted' },
    });
    far.agent.on('tasks_get', () => ({ status: 'completed', task: { task_id: 't_9', status: 'working' } }));

    expect(buy).toMatchObject({ status: 'PENDING_APPROVAL' });
    expect(await refresh(campaignId)).toMatchObject({
      internal_status: 'PENDING_APPROVAL',
      adcp_status: 'working',
    });
    expect(far.agent.calls.findLast(({ tool }) => tool === 'tasks_get')?.args).toMatchObject({
      task_id: 't_9',
    });
  });

  const OF_TASK = { task_id: 'task_1', status: 'completed' };
  test.each([
    ['REJECTED', { task: { ...OF_TASK, status: 'failed', errors: [REFUSAL] } }],
    ['REJECTED', { success: true, task: { ...OF_TASK, status: 'rejected', error: REFUSAL } }],
    ['ACTIVE', { task: { ...OF_TASK, result: BUY } }],
    ['ACTIVE', { success: true, task: { ...OF_TASK, result: { media_buy: BUY } } }],
    ['ACTIVE', { status: 'completed', task: OF_TASK, result: BUY }],
  ])('is %s once its task says so in a field of its own: %j', async (internal_status, answer) => {
    const { campaignId } = await ordered({ status: 'submitted', task_id: 'task_1' });
    far.agent.on('tasks_get', () => answer);

    expect(await refresh(campaignId)).toMatchObject({ internal_status });
  });

  test.each([
    ['names no task', { status: 'failed', errors: [REFUSAL] }],
    ['is of another', { task_id: 'task_2', status: 'failed', errors: [REFUSAL] }],
    ['may pass', { task_id: 'task_1', status: 'failed', adcp_error: { code: 'RATE_LIMITED' } }],
    ['is of who asks', { task_id: 'task_1', status: 'failed', adcp_error: { code: 'AUTH_REQUIRED' } }],
  ])('waits on where a refusal to tell of its task %s', async (_what, answer) => {
    const { campaignId } = await ordered({ status: 'submitted', task_id: 'task_1' });
    far.agent.on('tasks_get', () => answer);

    expect(await refresh(campaignId)).toMatchObject({
      internal_status: 'PENDING_APPROVAL',
      status_refresh_source: 'refresh_failed',
    });
  });

  const NAMED = { media_buy_id: 'far_1' };
  test.each([
    ['failed, with the buy as its result', { status: 'failed', result: NAMED }, 'PENDING_APPROVAL'],
    ['rejected, beside the id', { ...NAMED, status: 'rejected', error: { code: 'NO' } }, 'PENDING_APPROVAL'],
    ['completed beside warnings', { status: 'completed', result: BUY, errors: [{ code: 'LATE' }] }, 'ACTIVE'],
    ['completed beside an error', { status: 'completed', result: BUY, adcp_error: { code: 'L' } }, 'ACTIVE'],
    ['not told at all', { result: BUY }, 'ACTIVE'],
  ])('is a buy once its task names one that is %s', async (_what, answer, internal_status) => {
    const { campaignId } = await ordered({ status: 'submitted', task_id: 'task_1' });
    far.agent.on('tasks_get', () => answer);
    expect(await refresh(campaignId)).toMatchObject({ internal_status, adcp_media_buy_id: 'far_1' });

    far.agent.on('get_media_buys', () => ({ media_buys: [{ ...BUY, status: 'paused' }] }));
    expect(await refresh(campaignId)).toMatchObject({ internal_status: 'PAUSED' });
  });

  test.each([
    ['null in its other fields', { ...BUY, ...NOTHING_BUT_NULLS, status: 'active', budget: null }, 'active'],
    [
      'the state of a task beside its own',
      { ...BUY, status: 'completed', media_buy_status: 'pending_creatives' },
      'pending_creatives',
    ],
    ['an earlier word', { ...BUY, status: 'pending_activation' }, 'pending_start'],
    ['no status, which leaves what was known', { media_buy_id: 'far_1', status: null }, 'paused'],
    [
      'a word that is of tasks alone, which moves nothing',
      { media_buy_id: 'far_1', status: 'failed' },
      'failed',
    ],
  ])('is read later with %s', async (_what, item, adcp_status) => {
    const { campaignId } = await ordered({ ...BUY, status: 'paused' });
    far.agent.on('get_media_buys', () => ({ media_buys: [null, { media_buy_id: null }, item] }));

    const news = await refresh(campaignId);

    expect(news).toMatchObject({ status_refresh_source: 'direct_agent', adcp_status });
    expect(news.internal_status).toBe(/paused|failed/.test(adcp_status) ? 'PAUSED' : 'ACTIVE');
  });
});
