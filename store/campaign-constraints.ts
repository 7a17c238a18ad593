/** Places of a system of areas, such as the metros of nielsen_dma. */
export interface Areas {
  readonly country?: string | undefined;
  readonly system: string;
  readonly values: string[];
}

type Words = string[] | undefined;
type AreaList = Areas[] | undefined;

/** Where a campaign has to stay (contract: constraints). */
export interface CampaignConstraints {
  readonly channels?: Words;
  readonly geo_countries?: Words;
  readonly geo_countries_exclude?: Words;
  readonly geo_regions?: Words;
  readonly geo_regions_exclude?: Words;
  readonly geo_metros?: AreaList;
  readonly geo_metros_exclude?: AreaList;
  readonly geo_postal_areas?: AreaList;
  readonly geo_postal_areas_exclude?: AreaList;
  readonly language?: Words;
  readonly device_platform?: Words;
  readonly device_type?: Words;
  readonly device_type_exclude?: Words;
}
