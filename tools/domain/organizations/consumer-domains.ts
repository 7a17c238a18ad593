/** Hosts of private mailboxes: anybody has an address there, so that none of them is an organization's own. */
const CONSUMER_DOMAINS = new Set(
  (
    'aol.com btinternet.com comcast.net duck.com fastmail.com free.fr gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net ' +
    'googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.fr hushmail.com icloud.com inbox.com ' +
    'laposte.net libero.it live.com mac.com mail.com mail.ru mailbox.org me.com msn.com naver.com orange.fr ' +
    'outlook.com outlook.de pm.me posteo.de proton.me protonmail.com qq.com rediffmail.com rocketmail.com ' +
    'sbcglobal.net sina.com t-online.de tuta.com tutanota.com verizon.net wanadoo.fr web.de yahoo.co.jp yahoo.co.uk ' +
    'yahoo.com yahoo.de yahoo.fr yandex.com yandex.ru ymail.com zoho.com 126.com 163.com'
  ).split(' '),
);

export function isConsumerDomain(domain: string): boolean {
  return CONSUMER_DOMAINS.has(domain);
}
