/**
 * What is read of answers of sellers, by the names of the fields, what counts most first. Of a large answer these are
 * taken before anything else, wherever they stand in it: no field that nobody reads, however large or many, takes
 * the place of an id or a status (`answer-worker.mjs`). `test/rules/read-names.test.ts` holds the list to the code.
 */
export const READ_NAMES: readonly string[] = [
  // Which answer it is, and what became of the call.
  'jsonrpc id method isError resultType error result code message recovery',
  // Buys and tasks, and where they stand in an answer.
  'media_buy_id media_buy_status status task task_id success buyer_ref adcp_error media_buy data errors',
  'media_buys media_buy_deliveries affected_packages packages valid_actions',
  'start_time end_time implementation_date creative_deadline rejection_reason cancellation canceled_by reason',
  // Packages.
  'total_budget amount currency',
  'package_id product_id budget paused canceled pacing bid_price targeting_overlay format_ids_to_provide',
  // Deliveries.
  'totals impressions spend clicks conversions by_package by_placement placement_id views completed_views leads',
  'reporting_period start end notification_type partial_data is_final',
  // Accounts.
  'accounts pagination has_more cursor account_id sandbox name advertiser operator billing billing_proxy',
  'brand domain',
  // Products.
  'products description channels countries delivery_type brief_relevance cache_scope proposals proposal_id',
  'publisher_properties publisher_domain publisher_domains selection_type pricing_options pricing_option_id',
  'pricing_model currency fixed_price floor_price min_spend_per_package format_ids agent_url',
  'estimated_exposures metric_optimization supported_metrics supported_reach_units refinement_applied',
  'incomplete supported_targets supported_view_durations max_optimization_goals',
  'forecast points forecast_range_unit metrics mid low high',
  // What a server declares of itself.
  'adcp supported_versions major_versions execution targeting supportedVersions supported protocolVersion',
  'capabilities tools nextCursor inputSchema properties additionalProperties items anyOf $ref $defs',
  'definitions type text',
].flatMap((line) => line.split(' '));
