import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSessionMap, type SessionMap, type TurnOutcome } from '@murmur/process-driver';
import { afterAll, describe, expect, test } from 'vitest';
import {
  close,
  event,
  hang,
  type Run,
  type Step,
  scratch,
  started,
  startRun,
  text,
  turnEnd,
  turnFailed,
} from './support/host.js';

afterAll(close);
const root = join(scratch, 'conversations');
const openMap = (): SessionMap =>
  createSessionMap({
    conversationsRoot: root,
    record: 'capsule',
    onProblem: (reason) => expect.unreachable(reason),
  });

/** One launch of a capsule, as it lives with its map: plan, run, commit. */
async function launch(
  map: SessionMap,
  contextId: string,
  script: readonly Step[],
): Promise<{ run: Run; outcome: TurnOutcome }> {
  const session = await map.plan({ contextId, continues: true, carriedId: null, mintId: () => 'minted' });
  const run = await startRun(script, { session, contextId, sessionMapPath: map.pathFor(contextId) });
  const outcome = await run.outcome;
  if (outcome.commitSessionId !== null && session.remember)
    await map.commit(contextId, outcome.commitSessionId, { harness: 'fake', driver: 'fake', nowMs: 5 });
  return { run, outcome };
}

test('new, remembered, resumed, gone, forgotten, new again', async () => {
  const first = await launch(openMap(), 'ctx', [started('own'), turnEnd('1')]);
  expect(first.run.of('harness_start')).toMatchObject([
    { session_mode: 'new', harness_session_id: 'minted' },
  ]);

  const second = await launch(openMap(), 'ctx', [started('own'), turnEnd('2')]);
  expect(second.run.of('harness_start')).toMatchObject([
    { session_mode: 'resume', harness_session_id: 'own' },
  ]);

  for (let i = 0; i < 2; i++) {
    const map = openMap();
    const gone = await launch(map, 'ctx', [{ stderr: 'no conversation found\n' }, { exit: 1 }]);
    expect(gone.outcome).toMatchObject({ status: 'failed', commitSessionId: null });
    expect(gone.outcome.error).toEqual({
      variant: 'HarnessSessionGone',
      context_id: 'ctx',
      session_id: 'own',
      harness: 'fake',
      path: join(root, 'capsule', 'ctx', 'harness-session.json'),
      detail: expect.stringContaining('no conversation found'),
    });
    expect(gone.run.of('harness_failed')).toMatchObject([{ source: 'harness' }]);
    expect(JSON.parse(readFileSync(map.pathFor('ctx') ?? '', 'utf8'))).toMatchObject({ session_id: 'own' });
  }

  expect(await openMap().forget('ctx')).toBe('own');
  const again = await launch(openMap(), 'ctx', [turnEnd('3')]);
  expect(again.run.of('harness_start')).toMatchObject([
    { session_mode: 'new', harness_session_id: 'minted' },
  ]);
  expect(again.outcome.commitSessionId).toBe('minted');
});

describe('a failed resume', () => {
  const resumed = { session: { mode: 'resume', id: 'earlier', remember: true } } as const;
  test.each(['harness-error', 'other'])(
    'of kind %s with no session named is a session that is gone',
    async (kind) => {
      const run = await startRun([turnFailed(kind, 'unknown session')], { ...resumed, sessionMapPath: null });
      expect((await run.outcome).error).toMatchObject({
        variant: 'HarnessSessionGone',
        path: null,
        detail: 'unknown session',
      });
    },
  );

  test.each(['auth', 'quota', 'max-turns', 'canceled'])('of kind %s never is', async (kind) => {
    const run = await startRun([turnFailed(kind)], resumed);
    expect((await run.outcome).error).toMatchObject({ variant: 'HarnessTurnFailed', kind });
  });

  test('after the session was named never is', async () => {
    const run = await startRun([started('earlier'), turnFailed('harness-error')], resumed);
    expect((await run.outcome).error).toMatchObject({ variant: 'HarnessTurnFailed', kind: 'harness-error' });
  });

  test('a session named without an id does not count', async () => {
    const run = await startRun([started(''), turnFailed('other')], resumed);
    expect((await run.outcome).error).toMatchObject({ variant: 'HarnessSessionGone' });
  });

  test('a new session that fails alike is an ordinary failure', async () => {
    const run = await startRun([turnFailed('harness-error')]);
    expect((await run.outcome).error).toMatchObject({ variant: 'HarnessTurnFailed' });
  });
});

describe('what is remembered', () => {
  test.each<[string, readonly Step[], string | null]>([
    ['nothing, when the harness only named its session', [started('own'), turnFailed('auth')], null],
    [
      'nothing, when it only retried, noted and counted',
      [
        event('retry', { attempt: 1, reason: '' }),
        event('note', ''),
        event('usage', { input: 1 }),
        turnFailed('quota'),
      ],
      null,
    ],
    [
      'its own id, when it worked and failed',
      [started('own'), text('a'), turnFailed('harness-error')],
      'own',
    ],
    [
      'the handed id, when it named none',
      [event('thinking', 'a'), turnFailed('harness-error')],
      'offered-id',
    ],
    ['the last id it named', [started('one'), started('two'), turnEnd()], 'two'],
  ])('is %s', async (_name, script, id) => {
    expect((await (await startRun(script)).outcome).commitSessionId).toBe(id);
  });

  test('holds after a cancel and after a kill', async () => {
    const run = await startRun([started('own'), text('a'), event('note', 'ready'), hang], {
      variant: 'interrupt-unsupported',
    });
    await run.recorded('harness_note');
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'canceled', killed: true, commitSessionId: 'own' });
  });
});
