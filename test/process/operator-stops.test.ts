import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { suspendOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import type { Client } from '../support/callers/client.ts';
import { newMember, storeOperator, withStore } from '../support/callers/operator.ts';
import { takesChanges } from '../support/sellers/changing-seller.ts';
import { connectAgent, done, draftCampaign, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { ownService } from '../support/server/own-place.ts';

/** A campaign that runs at a seller, of an organization that the operator stops. */
describe('what a suspended organization has at sellers', () => {
  // However slow the machine is, no command is taken for one that died.
  const here = ownService({ PROCESS_LEASE_MS: '60000' });
  const { rialto, printed } = here;
  let agent: SellerAgent;
  let storefrontId: string;
  let buyer: Client;
  let organization: string;
  let campaignId: string;
  beforeAll(async () => {
    agent = await startSellerAgent([adcpProduct('far-1')]);
    const seller = (await newMember(here.settings, 'far')).at(here.url);
    ({ storefrontId } = await connectAgent(seller, agent.url, { name: 'Far' }));
  });
  afterAll(() => agent.stop());
  let made = 0;
  beforeEach(async () => {
    takesChanges({ agent, name: 'Far' });
    made += 1;
    const member = await newMember(here.settings, `acme${made}`);
    buyer = member.at(here.url);
    organization = String(member.organizationId);
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds: [storefrontId],
      flight: flightAhead(),
    }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  });

  const ofCampaign = (what: string, ...more: string[]) =>
    printed('campaign', what, '--organization', organization, ...more);
  const told = () => agent.calls.filter(({ tool }) => tool === 'update_media_buy').map(({ args }) => args);
  const lastTold = () => told().at(-1);
  const suspended = () =>
    withStore(here.settings, (store) =>
      suspendOrganization(storeOperator(store), { organizationId: Number(organization), isSuspended: true }),
    );
  /** What the log says of the campaign, by the operator. */
  const entryIn = (log: string) =>
    log
      .split('\n')
      .find((line) => line.includes(`\t${campaignId}\t`) && line.includes('operator'))
      ?.split('\t')
      .filter((part) => /^campaign_|^status|\.$/.test(part));
  const statusOf = () =>
    withStore(here.settings, (store) =>
      store.db
        .withoutPlugins()
        .selectFrom('campaigns')
        .select('status')
        .where('id', '=', campaignId)
        .executeTakeFirstOrThrow(),
    );

  /** The organization and what it has at sellers once more, so many times. */
  const copiedOften = (times: number) =>
    withStore(here.settings, async (store) => {
      const db = store.db.withoutPlugins();
      const own = Number(organization);
      const [owner, campaign, buy] = await Promise.all([
        db.selectFrom('organizations').selectAll().where('id', '=', own).executeTakeFirstOrThrow(),
        db.selectFrom('campaigns').selectAll().where('id', '=', campaignId).executeTakeFirstOrThrow(),
        db
          .selectFrom('media_buys')
          .selectAll()
          .where('campaign_id', '=', campaignId)
          .executeTakeFirstOrThrow(),
      ]);
      const ids = Array.from({ length: times }, (_, count) => own + 1_000 + count);
      for (const id of ids) {
        const copy = { organization_id: id };
        const ofCopy = { id: `${campaignId}-${id}`, ...copy };
        await db
          .insertInto('organizations')
          .values({ ...owner, id })
          .execute();
        await db
          .insertInto('campaigns')
          .values({ ...campaign, ...ofCopy })
          .execute();
        const campaign_id = ofCopy.id;
        await db
          .insertInto('media_buys')
          .values({ ...buy, ...copy, id: `${buy.id}-${id}`, campaign_id })
          .execute();
      }
      return ids;
    });

  test('is named when it is suspended, and by doctor from then on', async () => {
    const said = await printed('organization', 'suspend', '--organization', organization);
    const findings = (await rialto('doctor')).stdout;

    expect(said.split('\n')).toEqual([
      `Suspended: organization ${organization}`,
      `Still living at sellers: 1 campaign, and what they deliver is paid. campaign list --organization ${organization} ` +
        `shows them; campaign pause --organization ${organization} --all holds them, campaign cancel --organization ` +
        `${organization} --all calls them off for good.`,
    ]);
    expect(findings).toContain(
      `Organization ${organization} is suspended, and 1 of its campaigns still lives at sellers.`,
    );
    expect(findings).toContain(`campaign pause --organization ${organization} --all holds them`);
    expect(await ofCampaign('list')).toBe(
      `${campaignId}\torganization ${organization}\tWinter\tACTIVE\t1 live, 1 run`,
    );
  });

  test('is named by doctor for the first twenty organizations, which then says that there are more', async () => {
    await suspended();
    const more = await copiedOften(20);
    const findings = (await rialto('doctor')).stdout;
    await withStore(here.settings, (store) =>
      store.db.withoutPlugins().deleteFrom('media_buys').where('organization_id', 'in', more).execute(),
    );
    const without = (await rialto('doctor')).stdout;

    expect(findings.match(/Organization \d+ is suspended/g)).toHaveLength(20);
    expect(findings).toContain('more suspended organizations have campaigns that live at sellers');
    expect(without).not.toContain('more suspended organizations');
  });

  test('is held at its sellers, and the log of either says that the operator did it', async () => {
    await suspended();

    const paused = await ofCampaign('pause', '--all', '--reason', 'Not paid.');

    expect(paused).toMatch(/\tpaused, 1 media buy done or asked for, 0 not$/);
    expect(lastTold()).toMatchObject({ paused: true });
    expect(await statusOf()).toEqual({ status: 'PAUSED' });
    expect(entryIn(await printed('audit', 'list', '--organization', organization))).toEqual([
      'campaign_pause',
      'status: ACTIVE → PAUSED',
      'Not paid.',
    ]);
    expect(entryIn(await printed('audit', 'list'))).toContain('campaign_pause');
  });

  test('is called off for good at its sellers, and is named no more', async () => {
    await suspended();

    await ofCampaign('cancel', '--campaign', campaignId, '--reason', 'Fraud.');

    expect(lastTold()).toMatchObject({ canceled: true });
    expect(await statusOf()).toEqual({ status: 'CANCELED' });
    expect(await ofCampaign('list')).toBe('Nothing lives at sellers.');
    expect((await rialto('doctor')).stdout).not.toContain(`Organization ${organization} is suspended`);
  });

  test.each(['pause', 'cancel'])(
    'is not taken for stopped where %s names a campaign that the organization does not have',
    async (what) => {
      const stranger = await newMember(here.settings, `stranger-${what}`);
      const named = (id: string, of = organization) =>
        rialto('campaign', what, '--organization', of, '--campaign', id);
      const refusal = (id: string, of = organization) =>
        `Organization ${of}, with the accounts below it, has no campaign ${id}: nothing was stopped. ` +
        `campaign list --organization ${of} shows those that live at sellers.\n`;

      for (const id of [campaignId.slice(0, -1), 'not an id']) {
        expect(await named(id)).toEqual({ code: 1, stdout: '', stderr: refusal(id) });
      }
      const theirs = String(stranger.organizationId);
      expect(await named(campaignId, theirs)).toEqual({
        code: 1,
        stdout: '',
        stderr: refusal(campaignId, theirs),
      });
      expect(await statusOf()).toEqual({ status: 'ACTIVE' });
    },
  );

  test('is told as stopped already where nothing of it runs, or lives, any more', async () => {
    const one = ['--campaign', campaignId];
    await ofCampaign('pause', ...one);
    expect(await ofCampaign('pause', ...one)).toBe(
      `Nothing to do: ${campaignId} is PAUSED, and nothing of it runs at sellers.`,
    );

    await ofCampaign('cancel', ...one);
    expect(await ofCampaign('cancel', ...one)).toBe(
      `Nothing to do: ${campaignId} is CANCELED, and nothing of it lives at sellers.`,
    );
  });

  test('is not stopped without a word of which, and what a seller refuses is told and ends with 1', async () => {
    agent.on('update_media_buy', () => ({ errors: [{ code: 'POLICY_VIOLATION', message: 'Not now.' }] }));

    const unsaid = await rialto('campaign', 'cancel', '--organization', organization);
    const refused = await rialto('campaign', 'cancel', '--organization', organization, '--all');

    expect({ code: unsaid.code, said: unsaid.stderr.trim() }).toEqual({
      code: 1,
      said: 'Give --campaign or --all.',
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      new RegExp(
        'not canceled at every seller, 0 media buys done or asked for, 1 not: ' +
          'settle with its seller what is refused, then call again\\n\\tmb_\\w+\\trefused: POLICY_VIOLATION: Not now\\.\\n$',
      ),
    );
  });

  test('is not to be asked for once more where its seller does not answer, which is told with why', async () => {
    agent.on('update_media_buy', () => {
      throw new Error('Gone.');
    });

    const { code, stderr } = await rialto('campaign', 'pause', '--organization', organization, '--all');

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /0 media buys done or asked for, 1 not: the service asks its seller by itself until it answers\n/,
    );
    expect(stderr).toMatch(/\n\tmb_\w+\tnot answered: \S.+\n$/);
    expect(stderr).not.toContain('call again');
  });

  test('passes over what is called off already, and tells apart what was done and what a seller refused', async () => {
    const refuse = () =>
      agent.on('update_media_buy', () => ({ errors: [{ code: 'POLICY_VIOLATION', message: 'Not now.' }] }));
    refuse();
    const ofAll = (what: string) => rialto('campaign', what, '--organization', organization, '--all');
    expect((await ofAll('cancel')).code).toBe(1);
    expect(await statusOf()).toEqual({ status: 'CANCELED' });
    const passed =
      `${campaignId}\torganization ${organization}\tWinter\t` +
      'passed over: its cancellation waits for its seller; campaign cancel asks again\n';

    const alone = await ofAll('pause');
    const other = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      storefrontIds: [storefrontId],
      flight: flightAhead(),
    });
    done(await buyer.post(`/buyer/campaigns/${other.campaignId}/execute`));
    const both = await ofAll('pause');

    expect(alone).toMatchObject({ code: 0, stdout: passed, stderr: '' });
    expect(both).toMatchObject({ code: 1, stdout: passed });
    expect(both.stderr).toMatch(new RegExp(`^${other.campaignId}\t.*\tnot paused at every seller`));
    expect(both.stderr).not.toContain('campaign_create');
  });
});
