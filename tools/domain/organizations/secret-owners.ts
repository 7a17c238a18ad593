/** The row that the private half of a pair that signs tokens is encrypted for. */
export function signingKeyOwner(kid: string): string {
  return `signing_key:${kid}`;
}

/** The row that the client secret at the identity provider of a domain is encrypted for. */
export function providerOwner(domain: string): string {
  return `organization_provider:${domain}`;
}
