import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { bought, done, newAdvertiser } from '../../support/sellers/market.ts';
import { offerFields, type Planned, planned } from '../../support/sellers/offers.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOST = '127.0.0.1';

/** Where the domain of an organization leaves it: what sellers are told, and whose codes it opens. */
describe('a spoken domain', () => {
  let server: TestServer;
  let made: Planned;
  let count = 0;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    made = await planned(server);
  });
  afterAll(async () => {
    await server.stop();
    await made.agent.stop();
  });

  const fresh = () => {
    count += 1;
    return `spoken-${count}.example`;
  };
  /** The answer to an administrator who gives the account a domain. */
  const name = async (person: Person, customerDomain: string) =>
    (await managerOf(server, person.organizationId)).patch(
      `/buyer/accounts/${person.organizationId}/domain`,
      {
        customerDomain,
      },
    );
  const verify = ({ organizationId }: Person, domain: string) =>
    verifyDomain(server.operator, { organizationId, domain });

  /** Who operates the account, as the seller is told of one who looks for products. */
  async function told(buyer: Person, brand: string): Promise<string> {
    const advertiserId = await newAdvertiser(buyer, { brand });
    const storefrontIds = [made.storefrontId];
    const asked = { advertiserId, waitSeconds: 30, storefrontIds };
    done(await buyer.post('/buyer/discovery/discover-products', asked));
    return lastTold('get_products');
  }
  const lastTold = (tool: string) => {
    const call = made.agent.calls.findLast((one) => one.tool === tool);
    return (call?.args['account'] as { operator: string } | undefined)?.operator ?? 'nobody';
  };

  /** The status for somebody who gives the code of a proposal that is for a domain. */
  async function opens(buyer: Person, domain: string): Promise<number> {
    const fields = offerFields(made, buyer, { operatorId: { domain } });
    const { proposalCode } = done(await made.seller.post('/storefront/proposals', fields));
    const advertiserId = await newAdvertiser(buyer);
    const asked = { advertiserId, waitSeconds: 30, proposalCode };
    return (await buyer.post('/buyer/discovery/discover-products', asked)).status;
  }

  test('is the one that the operator gave, in lower case however it was written', async () => {
    const domain = fresh();
    const buyer = await newPerson(server, { domain: domain.toUpperCase() });

    expect(await told(buyer, 'brand.example')).toBe(domain);
    expect(await opens(buyer, domain)).toBe(200);
  });

  test('is one that an organization names itself only once it is verified', async () => {
    const domain = fresh();
    const buyer = await newPerson(server);
    expect((await name(buyer, domain)).body.data).toMatchObject({ customerDomainApproved: false });

    expect(await told(buyer, 'brand.example')).toBe('brand.example');
    expect(await opens(buyer, domain)).toBe(404);
    await bought(buyer, {
      advertiserId: await newAdvertiser(buyer, { brand: 'brand.example' }),
      storefrontIds: [made.storefrontId],
      budget: 1_000,
      each: 100,
    });
    expect(lastTold('create_media_buy')).toBe('brand.example');

    await verify(buyer, domain);
    expect(await told(buyer, 'brand.example')).toBe(domain);
    expect(await opens(buyer, domain)).toBe(200);
  });

  test('is never the verified domain of another, which is refused to whoever names it', async () => {
    const [owner, other] = [await newPerson(server), await newPerson(server)];
    const domain = fresh();
    await verify(owner, domain);

    const refused = {
      code: 'CONFLICT',
      words: `The domain ${domain} is verified for another organization.`,
    } as const;
    expectRefusal(await name(other, domain.toUpperCase()), 409, refused);
    const admin = await managerOf(server, other.organizationId);
    const child = { name: 'Below', customerRole: 'BUYER', customerDomain: domain };
    expectRefusal(await admin.post('/buyer/accounts/create-child', child), 409, refused);
    await expect(newPerson(server, { domain })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(done(await admin.get('/buyer/accounts/current')).customerDomain).not.toBe(domain);
  });

  test.each(['named', 'given'] as const)(
    'that was %s speaks no longer once it is verified for another',
    async (how) => {
      const domain = fresh();
      const buyer = await newPerson(server, how === 'given' ? { domain } : {});
      if (how === 'named') done(await name(buyer, domain));

      await verify(await newPerson(server), domain);

      expect(await told(buyer, 'brand.example')).toBe('brand.example');
      expect(await opens(buyer, domain)).toBe(404);
    },
  );

  test('of one organization alone comes of two that are verified at one moment', async () => {
    const domain = fresh();
    const both = [await newPerson(server), await newPerson(server)];
    for (const one of both) done(await name(one, domain));

    const outcomes = await Promise.allSettled(both.map((one) => verify(one, domain)));

    const lost = outcomes.filter(({ status }) => status === 'rejected');
    expect(lost).toMatchObject([{ reason: { code: 'CONFLICT' } }]);
    for (const [index, one] of both.entries()) {
      const isOwner = outcomes[index]?.status === 'fulfilled';
      expect(await told(one, 'brand.example')).toBe(isOwner ? domain : 'brand.example');
    }
  });

  test.each(['verified', 'given'] as const)(
    'of another, %s, is not told of whoever has it for a brand: this installation operates then',
    async (how) => {
      const domain = fresh();
      const owner = await newPerson(server, how === 'given' ? { domain } : {});
      if (how === 'verified') await verify(owner, domain);
      const buyer = await newPerson(server);
      done(await name(buyer, fresh()));

      expect(await told(buyer, domain)).toBe(HOST);
      expect(await told(owner, domain)).not.toBe(HOST);
      await bought(buyer, {
        advertiserId: await newAdvertiser(buyer, { brand: domain }),
        storefrontIds: [made.storefrontId],
        budget: 1_000,
        each: 100,
      });
      expect(lastTold('create_media_buy')).toBe(HOST);
    },
  );

  test('of the organization above is told of an account below that has it for a brand', async () => {
    const domain = fresh();
    const owner = await newPerson(server, { domain });
    await verify(owner, domain);
    const below = await newPerson(server, { parentId: owner.organizationId });
    done(await name(below, fresh()));

    expect(await told(below, domain)).toBe(domain);
  });
});
