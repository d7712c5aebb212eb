import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildEnvironment, credentialBackstop, looksLikeCredential, strippedBy } from './environment.js';

const hostEnv = {
  PATH: '/usr/bin',
  EMPTY: '',
  OPENAI_API_KEY: 'sk-1',
  AWS_PROFILE: 'p',
  MURMUR_SPAWNER: '{"handle":1}',
  OTHER: 'not allowed',
  __proto__: undefined,
};

function built(allow: readonly string[], strip: readonly string[] = []): object {
  return { ...buildEnvironment({ env: { allow, strip } }, hostEnv) };
}

describe('an environment', () => {
  test.each([
    ['of no names is empty', [], {}],
    ['of one name holds it', ['PATH'], { PATH: '/usr/bin' }],
    ['keeps a value that is set to nothing', ['EMPTY'], { EMPTY: '' }],
    ['leaves out a name that is not set', ['PATH', 'UNSET'], { PATH: '/usr/bin' }],
    ['leaves out names of the object itself', ['constructor', 'toString', '__proto__'], {}],
    [
      'never holds a credential, even when one is allowed',
      ['OPENAI_API_KEY', 'AWS_PROFILE', 'PATH'],
      { PATH: '/usr/bin' },
    ],
    ["never holds the runtime's own variables", ['MURMUR_SPAWNER', 'PATH'], { PATH: '/usr/bin' }],
  ])('%s', (_name, allow, expected) => {
    expect(built(allow)).toEqual(expected);
  });

  test('leaves out what the manifest strips', () => {
    expect(built(['PATH', 'EMPTY'], ['EM*'])).toEqual({ PATH: '/usr/bin' });
  });

  test('holds allowed names and nothing else, whatever the host sets', () => {
    const names = fc.array(
      fc.constantFrom('A', 'B', 'X_API_KEY', 'AWS_X', 'MURMUR_X', 'GH_TOKEN', '__proto__'),
    );
    fc.assert(
      fc.property(names, names, (allow, set) => {
        const host = Object.fromEntries(set.map((name) => [name, `value of ${name}`]));
        for (const [name, value] of Object.entries(buildEnvironment({ env: { allow, strip: [] } }, host))) {
          expect(allow).toContain(name);
          expect(value).toBe(host[name]);
          expect(['A', 'B', '__proto__']).toContain(name);
        }
      }),
    );
  });
});

test('the backstop comes before the patterns of the manifest', () => {
  expect(strippedBy('MY_API_KEY', ['MY_*'])).toEqual({
    name: 'MY_API_KEY',
    pattern: '*_API_KEY',
    source: 'credential backstop',
  });
  expect(strippedBy('MY_NAME', ['OTHER', 'MY_*'])).toEqual({
    name: 'MY_NAME',
    pattern: 'MY_*',
    source: 'capabilities.shell.strip_env',
  });
  expect(strippedBy('PATH', ['MY_*'])).toBeNull();
});

test.each(credentialBackstop)('the backstop takes %s away', (pattern) => {
  expect(strippedBy(pattern.replace('*', 'SOMETHING'), [])).not.toBeNull();
});

test.each([
  ['my_api_key', true],
  ['MyToken', true],
  ['CLIENT_SECRET', true],
  ['DB_PASSWORD', true],
  ['SSH_KEY', true],
  ['ssh_auth_sock', true],
  ['SENTRY_DSN', true],
  ['PAT', true],
  ['PATH', false],
  ['KEYBOARD', false],
  ['MONKEY_BUSINESS', false],
  ['HOME', false],
])('%s looks like a credential: %s', (name, credential) => {
  expect(looksLikeCredential(name)).toBe(credential);
});
