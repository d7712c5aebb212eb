import { describe, expect, it } from 'vitest';
import { refusalOf } from '../test/refusal.js';
import { layout, projectLayout } from './layout.js';

describe('the disk', () => {
  it('is laid out below the home directory', () => {
    const home = layout('/home/me');
    expect(home.root).toBe('/home/me/.murmur');
    expect(home.config).toBe('/home/me/.murmur/config.yaml');
    expect(home.artifacts).toBe('/home/me/.murmur/artifacts');
    expect(home.compiled).toBe('/home/me/.murmur/compiled');
    expect(home.state('notes')).toBe('/home/me/.murmur/state/notes');
    expect(home.spendLedger('2026-01-31')).toBe('/home/me/.murmur/spend/2026-01-31.jsonl');
    expect(home.conversation('demo', 'ctx_1')).toEqual({
      root: '/home/me/.murmur/conversations/demo/ctx_1',
      log: '/home/me/.murmur/conversations/demo/ctx_1/conversation.jsonl',
      harnessSession: '/home/me/.murmur/conversations/demo/ctx_1/harness-session.json',
    });
    expect(home.runningRecord('ses_1')).toBe('/home/me/.murmur/running/ses_1.json');
    expect(home.controlToken('ses_1')).toBe('/home/me/.murmur/running/ses_1.control');
    expect(home.program('abc')).toBe('/home/me/.murmur/programs/abc');
    const records = home.records('/srv/project/workdir', 'ses_1');
    expect(records.root).toBe('/home/me/.murmur/records/srv/project/workdir/ses_1');
    expect(records.result).toBe(`${records.root}/out/result.txt`);
    expect(records.taskResult('tsk_1')).toBe(`${records.root}/out/result_tsk_1.txt`);
    const session = home.session('ses_1');
    expect(session.task).toBe('/home/me/.murmur/sessions/ses_1/runtime/task.md');
    expect(session.harnessRun('run_1')).toBe('/home/me/.murmur/sessions/ses_1/harness/run_1');
  });

  it('of a project lies beside its manifest', () => {
    const project = projectLayout('/srv/project');
    expect(project).toMatchObject({
      manifest: '/srv/project/murmur.yaml',
      lock: '/srv/project/murmur.lock',
      env: '/srv/project/.env',
      config: '/srv/project/.murmur/config.yaml',
      artifacts: '/srv/project/.murmur/artifacts',
      workdirRoot: '/srv/project/workdir',
    });
    expect(project.workdir('ses_1')).toBe('/srv/project/workdir/ses_1');
  });

  it.each(['', 'home/me', './x', '/a\0b'])('has no place below the home %j', (home) => {
    expect(refusalOf(() => layout(home))).toMatchObject({ variant: 'HomeUnusable' });
  });

  it('is never left by a name', () => {
    const home = layout('/home/me');
    for (const name of ['..', '.', '', 'a/b', '/etc', '.hidden', 'a\0']) {
      expect(() => home.state(name)).toThrow();
      expect(() => home.conversation('demo', name)).toThrow();
      expect(() => home.records('/work', name)).toThrow();
      expect(() => home.session(name)).toThrow();
      expect(() => projectLayout('/p').workdir(name)).toThrow();
    }
    expect(() => home.recordsGroup('work')).toThrow();
    expect(home.recordsGroup('/work/../../etc')).toBe('/home/me/.murmur/records/etc');
  });
});
