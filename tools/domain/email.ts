const EMAIL_MAX = 254;
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * An e-mail address as it is kept: in lower case and in the letters of ASCII alone, so that no two that look alike
 * are two people, and none can say more to a mail server than where to. Undefined for what is none.
 */
export function emailOf(given: string): string | undefined {
  const text = given.trim().toLowerCase();
  return text.length <= EMAIL_MAX && EMAIL.test(text) && !text.includes('..') ? text : undefined;
}

export const EMAIL_PROBLEM = 'Give an e-mail address such as ada@acme.example.';

/** What stands behind the @ of an address, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
