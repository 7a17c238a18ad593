/** The row that the code of a proposal is encrypted for. */
export function proposalCodeOwner(id: number | string): string {
  return `storefront_proposals:${id}`;
}

/** What fingerprints of codes are made for. */
export const CODE_PURPOSE = 'proposal_code';
