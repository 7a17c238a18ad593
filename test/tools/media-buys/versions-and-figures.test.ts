import { beforeEach, describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { done } from '../../support/sellers/market.ts';

const WORDS = 'The media buy was changed by somebody else in the meantime.';

describe('the version of a media buy, which a change is made on', () => {
  const there = boughtThere('Far');
  const { buyPath, mediaBuy, raises, status } = there;
  beforeEach(() => there.orders());

  const patch = (fields: object, match: string) =>
    there.buyer.send(buyPath(), {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'if-match': match },
      body: JSON.stringify(fields),
    });
  const overMcp = (name: string, fields: object) =>
    callTool(there.server, there.buyer, {
      name,
      arguments: { media_buy_id: there.mediaBuyId, ...fields },
    });
  const read = async () => {
    const { headers, body } = await there.buyer.get(buyPath());
    return { etag: headers.get('etag') ?? '', version_hash: body.data.mediaBuy.versionHash };
  };
  const versionIn = (tag: string) => tag.replace(/-.*/, '');
  const delivers = async (impressions: number) => {
    there.seller.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      media_buy_deliveries: [media_buy_ids].flat().map((media_buy_id) => ({
        media_buy_id,
        status: 'active',
        totals: { impressions, spend: impressions / 1_000, clicks: 1 },
      })),
    }));
    done(await there.buyer.get(`${there.path()}/delivery`));
  };

  test('stays the same while figures come in, so that a change goes through', async () => {
    const before = await read();
    await delivers(2_000);
    const after = await read();
    expect(after.etag).not.toBe(before.etag);
    expect((await mediaBuy()).performance.impressions).toBe(2_000);

    expect(after.version_hash).toBe(before.version_hash);
    expect(done(await patch({ name: 'By its ETag' }, before.etag)).mediaBuy.name).toBe('By its ETag');

    const { version_hash } = await read();
    await delivers(3_000);
    const { structuredContent } = await overMcp('media_buy_update', { name: 'By its hash', version_hash });
    expect(structuredContent['mediaBuy']).toMatchObject({ name: 'By its hash' });
  });

  test('is another one once a change waits: whoever did not see that is 409, with what waits', async () => {
    there.seller.undecided();
    const before = await read();
    await raises(200);
    const packages = [{ packageId: there.packageId, budget: 300 }];

    const reply = await patch({ packages }, before.etag);
    const told = await overMcp('media_buy_update', { packages, version_hash: before.version_hash });
    const paused = await overMcp('media_buy_pause', { version_hash: before.version_hash });

    expectRefusal(reply, 409, { code: 'CONFLICT', at: { 'If-Match': WORDS } });
    expect(reply.body.error.details.current.mediaBuy.pendingChange).toMatchObject({
      status: 'PENDING_APPROVAL',
    });
    for (const { structuredContent } of [told, paused]) {
      expect(structuredContent).toMatchObject({ code: 'CONFLICT', field: 'version_hash' });
    }
  });

  test('is another one once a change that waited is refused', async () => {
    there.seller.undecided();
    await raises(200);
    const waiting = await read();
    const task = { task_id: 'task_1', status: 'failed', message: 'No room.' };
    there.seller.agent.on('get_task_status', () => task);
    await status();
    expect((await mediaBuy()).pendingChange).toBeUndefined();

    const reply = await patch({ name: 'Another' }, waiting.etag);

    expectRefusal(reply, 409, { code: 'CONFLICT', at: { 'If-Match': WORDS } });
    expect((await read()).version_hash).not.toBe(waiting.version_hash);
  });

  test('is another one once a pause is taken back of which no seller was told', async () => {
    there.seller.takes('pending_manual');
    await there.orders();
    await there.asks('pause');
    const held = await read();
    await there.asks('reactivate');

    const reply = await patch({ name: 'Another' }, held.etag);
    const told = await overMcp('media_buy_update', { name: 'Another', version_hash: held.version_hash });

    expectRefusal(reply, 409, { code: 'CONFLICT', at: { 'If-Match': WORDS } });
    expect(told.structuredContent).toMatchObject({ code: 'CONFLICT', field: 'version_hash' });
  });

  test('lets one through of two who change it at once, by its tag', async () => {
    there.seller.undecided();
    const { etag } = await read();
    const raised = (budget: number) => patch({ packages: [{ packageId: there.packageId, budget }] }, etag);

    const replies = await Promise.all([raised(200), raised(300)]);

    expect(replies.map(({ status: said }) => said).sort()).toEqual([200, 409]);
    const refused = replies.find(({ status: said }) => said === 409);
    expect(versionIn(refused?.body.error.details.etag)).toBe(versionIn((await read()).etag));
    expect(there.seller.told).toHaveLength(1);
  });

  test('lets one through of two who change it at once, by its hash', async () => {
    there.seller.undecided();
    const { version_hash } = await read();
    const packages = [{ packageId: there.packageId, budget: 200 }];

    const answers = await Promise.all([
      overMcp('media_buy_update', { packages, version_hash }),
      overMcp('media_buy_pause', { version_hash }),
    ]);

    const refused = answers.filter(({ structuredContent }) => structuredContent['code'] !== undefined);
    expect(refused.map(({ structuredContent }) => structuredContent)).toMatchObject([
      { code: 'CONFLICT', message: expect.stringContaining(WORDS) },
    ]);
    expect(there.seller.told).toHaveLength(1);
  });

  test('is another one once its seller says that it does not have it', async () => {
    const before = await read();
    there.seller.agent.on('get_media_buys', () => ({ media_buys: [] }));
    await status();
    expect((await mediaBuy()).explanation).toContain('that it does not have');

    const reply = await patch({ name: 'Another' }, before.etag);

    expectRefusal(reply, 409, { code: 'CONFLICT', at: { 'If-Match': WORDS } });
    const unfound = await read();
    await status();
    expect((await read()).version_hash).toBe(unfound.version_hash);
  });
});
