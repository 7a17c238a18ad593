/** Only its repeat tells whether an order was taken; a seller that has left, or is gone for good, tells nobody. */
const REPEAT = 'campaign_execute again, which asks for the same order once more under its key';
const OR_SETTLED = 'If its seller never answers, the operator of this installation can settle it.';

/** What is to be done about an order of which nobody knows whether it was taken. */
export const ASK_AGAIN = `Call ${REPEAT}. ${OR_SETTLED}`;

export const UNKNOWN_ORDER = `${nobodyKnows('its seller')}. ${ASK_AGAIN}`;
/** The same where its end was asked for. */
export const UNKNOWN_ENDING = `${nobodyKnows('its seller')}. Call ${REPEAT}: what comes of it is called off at once. ${OR_SETTLED}`;

/** The same in the explanation of a media buy: where its seller has left, executing again tells nothing. */
export function unknownInWords(seller: string, { hasLeft = false }: { readonly hasLeft?: boolean }): string {
  return hasLeft
    ? `${nobodyKnows(seller)}, and it has left the marketplace: executing again does not tell. The operator of this installation asks it by other means, and settles it; until then its budget stays bound. You: tell the operator.`
    : `${nobodyKnows(seller)}. You: call ${REPEAT}. ${OR_SETTLED}`;
}

function nobodyKnows(seller: string): string {
  return `Nobody knows whether ${seller} took the order`;
}
