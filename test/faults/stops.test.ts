import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Member, newMember } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { faultRoundsOf, timeoutOf } from '../support/run/effort.ts';
import { gate } from '../support/run/gate.ts';
import { connectAgent, draftCampaign, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

const flightDates = flightAhead();

const CALLERS = 6;
const DRAFTS = 4;
const UNDER_WAY = 60;

describe('a SIGTERM under load of every kind', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let service: Service;
  let far: SellerAgent;
  let storefrontId: string;
  let member: Member;
  beforeAll(async () => {
    database = await freshDatabase();
    settings = settingsFor(database);
    far = await startSellerAgent();
    service = await startService({ folder: database.folder, settings });
    storefrontId = (await connectAgent((await newMember(settings, 'far')).at(service.url), far.url))
      .storefrontId;
    member = await newMember(settings, 'buyer');
  });
  afterAll(async () => {
    await killServices();
    await far.stop();
    await database.drop();
  });

  interface Answered {
    readonly status: number;
    readonly isLast: boolean;
  }

  /** One call over a connection that is kept until the service says that it was the last. */
  function call(agent: Agent, { path, body }: { path: string; body?: object }): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${service.url}/api/v2${path}`,
        {
          agent,
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${member.key}`, 'content-type': 'application/json' },
        },
        (response) => {
          const { statusCode: status = 0, headers } = response;
          text(response).then(() => resolve({ status, isLast: headers.connection === 'close' }), reject);
        },
      );
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  test(
    'fails none of the reads, writes, searches and orders that it took, and ends with 0',
    async () => {
      for (let round = 0; round < faultRoundsOf(1, 30); round += 1) {
        const buyer = member.at(service.url);
        const advertiserId = await newAdvertiser(buyer);
        const drafts: string[] = [];
        for (let count = 0; count < DRAFTS; count += 1) {
          const draft = await draftCampaign(buyer, {
            advertiserId,
            storefrontIds: [storefrontId],
            flight: flightDates,
          });
          drafts.push(draft.campaignId);
        }
        const { underWay, statuses, ended } = load(advertiserId, drafts);
        await underWay;

        service.signal('SIGTERM');

        await ended;
        expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
        expect(await service.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
        service = await startService({ folder: database.folder, settings });
      }
    },
    timeoutOf(60_000),
  );

  /** Callers that each go on until their connection is over. */
  function load(advertiserId: string, drafts: readonly string[]) {
    const enough = gate();
    const statuses: number[] = [];
    const waiting = [...drafts];
    const next = (caller: number, count: number) => {
      const draft = waiting.shift();
      if (draft !== undefined) return { path: `/buyer/campaigns/${draft}/execute`, body: {} };
      const name = `${caller}-${count}`;
      const campaign = { advertiserId, name, flightDates, budget: { total: 10 } };
      const search = { advertiserId, storefrontIds: [storefrontId], waitSeconds: 1 };
      const works = [
        { path: '/buyer/advertisers' },
        { path: '/buyer/campaigns', body: campaign },
        { path: '/buyer/discovery/discover-products', body: search },
      ];
      return works[(caller + count) % works.length] ?? { path: '/buyer/advertisers' };
    };
    const goOn = async (_: unknown, caller: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let count = 0, isLast = false; !isLast; count += 1) {
        const answered = await call(agent, next(caller, count));
        statuses.push(answered.status);
        if (statuses.length >= UNDER_WAY) enough.open();
        isLast = answered.isLast;
      }
      agent.destroy();
    };
    const ended = Promise.all(Array.from({ length: CALLERS }, goOn));
    return { underWay: enough.passed, statuses, ended };
  }
});
