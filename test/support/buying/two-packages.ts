import { type FarSeller, farSeller } from '../sellers/far-seller.ts';
import { adcpProduct } from '../sellers/seller-agent.ts';
import type { TestServer } from '../server/server.ts';

/** A package as its seller keeps it. */
export interface KeptPackage {
  readonly package_id: string;
  readonly product_id: string;
  readonly budget: number;
  readonly canceled: boolean;
}

/** A seller of one media buy with two packages, which shows it as it is kept here. */
export interface SellerOfTwo {
  readonly far: FarSeller;
  packages: readonly KeptPackage[];
  /** The packages as it lists them: as they are kept, at first. */
  lists(packages: readonly KeptPackage[]): readonly object[];
  shown(): object;
  /** Takes every change of its packages at once. */
  takesChanges(): void;
  /** Reports from now on what was spent of the whole, and of each package that it lists in its report. */
  delivers(spend: number, parts?: Readonly<Record<string, number>>): void;
}

export async function sellerOfTwo(server: TestServer, each: number): Promise<SellerOfTwo> {
  const far = await farSeller(server, 'Far', [adcpProduct('far-1'), adcpProduct('far-2')]);
  const seller: SellerOfTwo = {
    far,
    packages: [
      { package_id: 'pkg_1', product_id: 'far-1', budget: each, canceled: false },
      { package_id: 'pkg_2', product_id: 'far-2', budget: each, canceled: false },
    ],
    lists: (packages) => packages,
    shown: () => ({ media_buy_id: 'Far_1', status: 'active', packages: seller.lists(seller.packages) }),
    takesChanges: () =>
      far.agent.on('update_media_buy', ({ packages: asked = [] }) => {
        const updates = asked as readonly KeptPackage[];
        seller.packages = seller.packages.map((part) => ({
          ...part,
          ...updates.find(({ package_id }) => package_id === part.package_id),
        }));
        return seller.shown();
      }),
    delivers: (spend, parts = {}) =>
      far.agent.on('get_media_buy_delivery', () => ({
        currency: 'USD',
        media_buy_deliveries: [
          {
            media_buy_id: 'Far_1',
            totals: figures(spend),
            by_package: Object.entries(parts).map(([package_id, spent]) => ({
              package_id,
              ...figures(spent),
            })),
          },
        ],
      })),
  };
  far.agent.on('create_media_buy', seller.shown);
  far.agent.on('get_media_buys', () => ({ media_buys: [seller.shown()] }));
  return seller;
}

const figures = (spend: number) => ({ impressions: 1_000, spend, clicks: 1 });
