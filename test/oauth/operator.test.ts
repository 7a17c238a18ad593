import { describe, expect, test } from 'vitest';
import { authorizeUrl, newPkce, program } from '../support/callers/programs.ts';
import { ownService } from '../support/server/own-place.ts';

const URIS = ['https://host.example/callback/A%2Fb', 'http://127.0.0.1:5000/'];

describe('the operator', () => {
  const here = ownService();
  const { rialto } = here;

  test('registers a program by hand, with the exact addresses that its host shows', async () => {
    const { code, stdout } = await rialto(
      'oauth',
      'client',
      'add',
      '--name',
      'Host',
      '--redirect-uri',
      ...URIS,
    );
    const id = /Client (oc_\w+): Host/.exec(stdout)?.[1] ?? '';
    const statusFor = async (uri: string) => {
      const fields = { redirect_uri: uri, code_challenge: newPkce().challenge };
      return (await fetch(authorizeUrl(here.url, id, fields), { redirect: 'manual' })).status;
    };

    expect(code).toBe(0);
    for (const uri of URIS) expect(await statusFor(uri)).toBe(303);
    expect(await statusFor('https://host.example/callback/A/b')).toBe(400);
    expect((await rialto('oauth', 'client', 'list')).stdout).toContain(`${id}\tHost\t${URIS.join(' ')}`);
  });

  test('is told what is wrong with an address, and nothing is registered', async () => {
    const { code, stderr } = await rialto(
      ...['oauth', 'client', 'add', '--name', 'Bad', '--redirect-uri', 'http://elsewhere.example/'],
    );

    expect(code).toBe(1);
    expect(stderr).toContain('redirect_uris[0] must begin with https:');
    expect((await rialto('oauth', 'client', 'list')).stdout).not.toContain('Bad');
  });

  test('rotates the key that signs, and the one before stays published', async () => {
    const kids = async () => {
      const { body } = await program(here.service).get('/.well-known/jwks.json');
      return body.keys.map(({ kid }: { kid: string }) => kid);
    };
    const [before] = await kids();

    const { code, stdout } = await rialto('keys', 'rotate');
    const kid = /Signing with (\S+)/.exec(stdout)?.[1];
    // Within a minute in a process that runs, at once in one that starts.
    await here.restart();

    expect(code).toBe(0);
    expect(await kids()).toEqual([kid, before]);
  });
});
