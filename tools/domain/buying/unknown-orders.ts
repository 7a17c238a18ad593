/** What is to be done about an order of which nobody knows whether it was taken: only its repeat tells. */
export const ASK_AGAIN = 'Call campaign_execute again, which asks for the same order once more under its key';

export const UNKNOWN_ORDER = `Nobody knows whether its seller took the order. ${ASK_AGAIN}.`;
/** The same where its end was asked for. */
export const UNKNOWN_ENDING = `Nobody knows whether its seller took the order. ${ASK_AGAIN}: what comes of it is called off at once.`;
