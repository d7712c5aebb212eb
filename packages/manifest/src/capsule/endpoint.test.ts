// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointProblem } from './endpoint.js';

describe('the address of a gateway', () => {
  it.each([
    'https://api.example.com',
    'https://api.example.com/',
    'https://api.example.com:8443/v1/messages',
    'HTTPS://api.example.com',
    'https://203.0.113.7/x',
    'https://[2001:db8::1]:443/x',
    'http://localhost',
    'http://LOCALHOST:8080/v1',
    'http://127.0.0.1:1',
    'http://127.255.0.9/x',
    'http://[::1]:9/x',
  ])('may be %s', (endpoint) => {
    expect(endpointProblem(endpoint)).toBeNull();
  });

  it.each([
    '',
    ' ',
    'api.example.com',
    '//api.example.com',
    'ftp://api.example.com',
    'ws://localhost',
    'https:/x',
    'https://',
    'https:///x',
    'https://:443',
    'http://example.com',
    'http://0.0.0.0',
    'http://10.0.0.1',
    'http://192.168.1.1:80',
    'http://[::ffff:127.0.0.1]',
    'http://[::]',
    'http://127.1',
    'http://0x7f.0.0.1',
    'http://2130706433',
    'http://127.0.0.256',
    'http://127.0.0.01',
    'http://localhost.',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://127.0.0.1@example.com',
    'https://user@x.example',
    'https://user:secret@x.example/v1',
    'https://x.example?key=1',
    'https://x.example/v1#frag',
    'https://x.example/${HOST}',
    'https://${HOST}',
    'https://x.example:99999',
    'https://x.example:port',
    'https://x.example\\@y.example',
    'http://localhost\\.example.com',
    'https://x.example/a b',
    'https://x.example/\n',
    'https://x\t.example',
    ' https://x.example',
    'https://[::1',
    'https://a]b',
  ])('may not be %j', (endpoint) => {
    expect(endpointProblem(endpoint)).not.toBeNull();
  });

  it('names the host that credentials in front of it hide', () => {
    expect(endpointProblem('https://api.openai.com:x@evil.example:444/v1')).toContain('evil.example:444');
    expect(endpointProblem('https://user:hunter2@x.example')).not.toContain('hunter2');
  });

  it('never leads a URL parser to another machine over http', () => {
    const host = fc.stringMatching(/^[a-z0-9.:@[\]\\%-]{1,25}$/);
    fc.assert(
      fc.property(host, fc.constantFrom('', '/', '/x', ':80'), (name, tail) => {
        const endpoint = `http://${name}${tail}`;
        if (endpointProblem(endpoint) !== null) return;
        expect(new URL(endpoint).hostname).toMatch(/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/);
      }),
      { numRuns: 5_000 },
    );
  });
});
