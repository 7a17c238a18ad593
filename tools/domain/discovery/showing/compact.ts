import { boundedText } from '../../text.ts';
import type { Product } from '../schema.ts';

const DESCRIPTION_MAX = 120;

/** Products in the short form: what one chooses by, and once beside them what all of a group have in common. */
export function compactProducts(products: readonly Product[]) {
  const [first] = products;
  if (first === undefined) return { products: [] };
  return {
    salesAgentId: first.salesAgentId,
    isSandbox: first.isSandbox,
    ...(first.briefMatched === undefined ? {} : { briefMatched: first.briefMatched }),
    products: products.map(compactProduct),
  };
}

function compactProduct(product: Product) {
  const { productId, name, description, channels, countries, notBuyable, deliveryType, briefRelevance } =
    product;
  return {
    productId,
    name,
    ...(description === undefined ? {} : { description: boundedText(description, DESCRIPTION_MAX) }),
    channels,
    countries,
    notBuyable,
    deliveryType,
    briefRelevance,
    pricingOptions: product.pricingOptions,
    estimatedExposures: product.estimatedExposures,
    screening: product.screening,
    evaluation: product.evaluation,
  };
}
