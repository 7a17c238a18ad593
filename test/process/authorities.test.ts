import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authoritiesOf } from '../../adapters/process/authorities.ts';
import { runHere } from '../support/server/command-line.ts';
import { freshPlaces } from '../support/server/own-place.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { runCommand } from '../support/server/service.ts';

const fresh = freshPlaces();

describe('a file of several authorities', () => {
  let folder: string;
  let one: Authority;
  let other: Authority;
  let receiver: Receiver;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'authorities-'));
    [one, other] = await Promise.all([newAuthority(), newAuthority({ name: 'the other' })]);
    receiver = await startReceiver(other);
  });
  afterAll(async () => {
    await receiver.stop();
    for (const authority of [one, other]) authority.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  let files = 0;
  function fileOf(...pieces: string[]): string {
    files += 1;
    const file = join(folder, `${files}.pem`);
    writeFileSync(file, pieces.join(''));
    return file;
  }

  const linesOf = (text: string) => text.split('\n').length - 1;
  const withoutEnd = (text: string) => text.slice(0, text.indexOf('-----END'));
  const damaged = (text: string) => text.replace(/\n[A-Za-z0-9+/]{8}/, '\nAAAAAAAA');

  test.each([
    ['is cut off', withoutEnd],
    ['is damaged', damaged],
  ])('stops the start where its second one %s, and names that one', async (_what, broken) => {
    const whole = one.certificate.endsWith('\n') ? one.certificate : `${one.certificate}\n`;
    const file = fileOf('# Ours\n', whole, broken(other.certificate), '\n', whole);
    const { launch, settings } = await fresh({ OUTBOUND_CA_FILE: file });

    const start = await runCommand('main.js', launch);
    const { code, stdout } = await runHere(settings, ['doctor']);

    const said = `OUTBOUND_CA_FILE: Certificate 2 of 3 in ${file}, from line ${linesOf(whole) + 2}, cannot be read.`;
    expect([start.code, code]).toEqual([1, 1]);
    expect(start.stderr).toContain(said);
    expect(start.stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toContain(`FAIL settings    ${said}`);
    expect(stdout).not.toContain('Certificate 1');
    expect(stdout).not.toContain('Certificate 3');
  });

  test.each([
    ['spelled otherwise', (text: string) => text.replace('BEGIN CERTIFICATE', 'Begin Certificate')],
    ['short of a dash', (text: string) => text.replace('-----BEGIN', '----BEGIN')],
    ['not there', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['not at the beginning of its line', (text: string) => ` ${text}`],
  ])('stops the start where the beginning of the second one is %s', async (_what, broken) => {
    const file = fileOf(one.certificate, '\n', broken(other.certificate));

    const look = () => authoritiesOf({ outboundCaFile: file });

    expect(look).toThrow(
      `A certificate in ${file}, below line 1, has an end and no -----BEGIN CERTIFICATE-----`,
    );
  });

  test('takes a beginning that words name, and one right behind an end, for what they are', () => {
    const file = fileOf(
      '# -----BEGIN CERTIFICATE----- of ours follows\n',
      one.certificate.trimEnd(),
      other.certificate,
    );

    const trusted = authoritiesOf({ outboundCaFile: file });

    expect(trusted).toContain(one.certificate.trim());
    expect(trusted).toContain(other.certificate.trim());
  });

  test('makes all of them trusted, whatever stands between them', async () => {
    const crlf = one.certificate.replaceAll('\n', '\r\n');
    const file = fileOf('\uFEFF', crlf, '\r\n\r\nThe next one is of the other.\r\n', other.certificate);

    const status = await new Promise((resolve, reject) => {
      const asked = request(receiver.url, { ca: authoritiesOf({ outboundCaFile: file }), method: 'POST' });
      asked.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject);
      asked.end('{}');
    });

    expect(status).toBe(204);
  });

  test('has the doctor warn of one that has expired, and of one that does not hold yet', async () => {
    const past = await newAuthority({
      notBeforeDate: new Date('2001-01-01T00:00:00Z'),
      notAfterDate: new Date('2002-01-01T00:00:00Z'),
    });
    const coming = await newAuthority({
      notBeforeDate: new Date('2999-01-01T00:00:00Z'),
      notAfterDate: new Date('2999-06-01T00:00:00Z'),
    });
    const file = fileOf(one.certificate, '\n', past.certificate, '\n', coming.certificate);
    for (const authority of [past, coming]) authority.remove();
    const { settings } = await fresh({ OUTBOUND_CA_FILE: file });

    const { stdout } = await runHere(settings, ['doctor']);

    expect(stdout).toMatch(
      /^warn settings +OUTBOUND_CA_FILE: Certificate 2 of 3 .* has expired on 2002-01-01\.$/m,
    );
    expect(stdout).toMatch(
      /^warn settings +OUTBOUND_CA_FILE: Certificate 3 of 3 .* holds from 2999-01-01 only\.$/m,
    );
    expect(stdout).not.toContain('Certificate 1');
    expect(stdout).not.toContain('FAIL settings');
  });
});
