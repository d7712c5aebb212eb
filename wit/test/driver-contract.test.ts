import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readWitStructure } from './wit-structure.js';

const contract = readFileSync(new URL('../driver/process.wit', import.meta.url), 'utf8');
const golden: unknown = JSON.parse(
  readFileSync(new URL('./driver-contract.golden.json', import.meta.url), 'utf8'),
);

describe('murmur:driver@0.6.0', () => {
  it('has the names, types and order of the contract', () => {
    expect(readWitStructure(contract)).toEqual(golden);
  });

  it.each([
    ['a renamed field', contract.replace('version-args:', 'version-arguments:')],
    ['another type', contract.replace('input-bytes: u64', 'input-bytes: u32')],
    ['a dropped case', contract.replace(/\n {4}suggested-prompt\(string\),/, '')],
    [
      'two cases swapped',
      contract
        .replace('    ok,', '    TEMP,')
        .replace('    warning,', '    ok,')
        .replace('    TEMP,', '    warning,'),
    ],
    ['a function that can no longer refuse', contract.replace('result<launch-plan, string>', 'launch-plan')],
    ['another version', contract.replace('@0.6.0', '@0.6.1')],
  ])('tells %s from the contract', (_, changed) => {
    expect(changed).not.toBe(contract);
    expect(readWitStructure(changed)).not.toEqual(golden);
  });

  it('refuses what it does not know instead of skipping it', () => {
    expect(() => readWitStructure('package a:b@0.1.0; interface i { use x.{y}; }')).toThrow();
    expect(() => readWitStructure('package a:b@0.1.0; interface i { resource r; }')).toThrow();
    expect(() => readWitStructure('package a:b@0.1.0; interface i { /* x */ }')).toThrow();
  });
});
