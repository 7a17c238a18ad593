import { expect, test } from 'vitest';
import { nameInMail } from '../../tools/domain/organizations/invitation-mail.ts';

test.each([
  ['Acme Media', 'Acme Media'],
  ['evil.example', 'evil. example'],
  ['HTTPS://evil.example', 'HTTPS: / / evil. example'],
  ['evil\uff0eexample', 'evil. example'],
  ['evil\u3002example', 'evil\u3002 example'],
  ['me@evil.example', 'me@ evil. example'],
  ['mailto:me', 'mailto: me'],
  ['\\\\evil\\share', '\\ \\ evil\\ share'],
  ['“Acme” “invites you', '’Acme’ ’invites you'],
  ['two\nlines\u202eback', 'two lines back'],
  ['x'.repeat(80), `${'x'.repeat(59)}…`],
])('the name %j stands in a mail as %j', (name, shown) => {
  expect(nameInMail(name)).toBe(shown);
});
