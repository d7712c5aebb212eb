import { errorEntry } from '../define.js';
import { prose, text } from '../fields.js';

/** Continuing an earlier conversation, and letting a harness forget one. */
export const resumeErrors = [
  errorEntry({
    variant: 'ResumeRecordMissing',
    code: 'E-RUN-017',
    stage: 'staging-before-workdir',
    fields: { session: text, context_id: text, reason: prose },
    summary: 'The session to resume kept nothing to continue from.',
    message: (f) => `session ${f.session} (context ${f.context_id}) cannot be resumed: ${f.reason}`,
    remedy: (f) =>
      `transport: http resumes from conversation.jsonl and transport: process from harness-session.json, each kept only while context.record is on; look with 'mur trace show ${f.session}', or omit --resume to start fresh`,
    explanation:
      'The session named a context, and nothing usable is kept under it. A fresh start is never put in its place silently, because the answer would look as if the earlier conversation were known.',
  }),
  errorEntry({
    variant: 'ResumeCompactionHookMissing',
    code: 'E-RUN-018',
    stage: 'staging-before-workdir',
    fields: {},
    summary: 'Compact resume needs a compaction hook and there is none.',
    message: () => '--resume-mode compact needs a hook bound to on-compaction, and this capsule has none',
    remedy:
      'declare a hook bound to on-compaction (or all) with commit_policy: replace-context, or use --resume-mode full',
    explanation:
      'Compact resume shortens the kept conversation through a hook. Without such a hook there is nobody to shorten it, and the full mode is not chosen on your behalf.',
  }),
  errorEntry({
    variant: 'ResumeCompactUnsupportedTransport',
    code: 'E-RUN-037',
    stage: 'staging-before-workdir',
    fields: {},
    summary: 'Compact resume does not exist under transport: process.',
    message: () =>
      '--resume-mode compact does not work under inference.transport: process, where the runtime holds no history to compact',
    remedy: 'use --resume-mode full: the harness is handed the session id that the context already has',
    explanation:
      'With a process transport the conversation lives in the harness. A compaction hook would receive nothing, so adding one does not help either.',
  }),
  errorEntry({
    variant: 'ForgetSessionUnsupportedTransport',
    code: 'E-RUN-039',
    stage: 'staging-before-workdir',
    fields: { transport: text },
    summary: '--forget-session needs transport: process.',
    message: (f) =>
      `--forget-session drops the session id that a harness is resumed by, which only inference.transport: process has; this capsule's transport is '${f.transport}'`,
    remedy: "elsewhere the conversation is a record on this host: remove it with 'mur conversation rm'",
    explanation:
      'The flag clears one entry of the map from contexts to harness sessions. Capsules of another transport, or without inference, keep no such map.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-015',
    stage: 'parse',
    fields: {},
    summary: '--resume and --context were given together.',
    message: () => '--resume and --context both say which conversation to continue',
    remedy: 'pass --resume with a session, or --context with a context id, whichever you have',
    explanation:
      'The two flags name the same thing in two ways and could contradict each other. It is refused before the session is looked up.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-016',
    stage: 'staging-before-workdir',
    fields: { session: text },
    summary: 'The session to resume never ran a task.',
    message: (f) => `session ${f.session} ran no task that carries a context id`,
    remedy: (f) => `resume a session that ran a task; 'mur trace show ${f.session}' lists what this one did`,
    explanation:
      'The trace of the session holds no task_start with a context id, so there is no conversation to find. When there is a context and nothing was kept under it, the code is E-RUN-017.',
  }),
] as const;
