import { fullPath } from '../core/addresses.ts';

/** What to do next for whoever has not the right id: refusals of an id say it, and of an object that is not there. */
export const lookUps = {
  account: 'List yours with account_list.',
  accountLink: 'Find its id with account_link_list.',
  advertiser: 'Find its id with advertiser_list.',
  application: `List them with GET ${fullPath('platform', '/m2m-applications')}.`,
  /** A code is for one of the buyers that the seller knows. */
  buyerOfProposal: 'Ask the buyer for it, or give domain instead.',
  browserOrigin: 'List them with browser_origin_list.',
  campaign: 'Find its id with campaign_list.',
  invitation: 'List those that are open with invitation_list.',
  joinLink: 'List them with join_link_list.',
  joinRequest: 'List those that wait with join_request_list.',
  legacyKey: `List them with GET ${fullPath('platform', '/legacy-keys')}.`,
  mediaBuy: 'Find its id in campaign_get, which has the media buys of a campaign.',
  member: 'Find people with member_list.',
  organizationKey: `List the keys with GET ${fullPath('platform', '/org-api-keys')}.`,
  ownStorefront: 'Leave it out, or read it with storefront_record_get.',
  product: 'Find its id with product_list.',
  productQuery: 'Its id is execution_id in the answer of product_query; begin another query if it is lost.',
  proposal: 'Find ids with proposal_list.',
  proposedIn:
    'Give the ids of a session in which your source answered, and of a plan that it proposed there.',
  secret: `The application names its secrets: GET ${fullPath('platform', '/m2m-applications/{id}')}.`,
  serviceToken: 'List them with service_token_list.',
  session: 'Its id is in the answer of discover_products; begin another session if it is lost.',
  source: 'Find sources with inventory_source_list.',
  spendApproval: 'List those that wait with spend_approval_list.',
  sponsoredBuyer: 'List them with sponsored_buyer_list.',
  storefront: 'Find ids with storefront_list.',
  subscription: 'Find subscriptions with webhook_list.',
} as const;

export type Looked = keyof typeof lookUps;
