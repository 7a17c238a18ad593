/** What is to be done about an order of which nobody knows whether it was taken: only its repeat tells. */
export const ASK_AGAIN = 'Call campaign_execute again, which asks for the same order once more under its key';

export const UNKNOWN_ORDER = `Nobody knows whether its seller took the order. ${ASK_AGAIN}.`;
/** The same where its end was asked for. */
export const UNKNOWN_ENDING = `Nobody knows whether its seller took the order. ${ASK_AGAIN}: what comes of it is called off at once.`;

/** The same in the explanation of a media buy: where its seller has left, executing again tells nothing. */
export function unknownInWords(seller: string, { hasLeft = false }: { readonly hasLeft?: boolean }): string {
  return hasLeft
    ? `Nobody knows whether ${seller} took the order, and it has left the marketplace: executing again does not tell. The operator of this installation asks it by other means, and settles it; until then its budget stays bound. You: tell the operator.`
    : `Nobody knows whether ${seller} took the order. You: call campaign_execute again, which asks for the same order once more under its key. If it never answers, the operator of this installation can settle it.`;
}
