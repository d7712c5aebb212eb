import path from 'node:path';
import { MurmurError } from '@murmur/errors';
import { isPathSegment } from './paths.js';

/** Paths of one session's records: what is kept. */
export interface RecordsLayout {
  readonly root: string;
  readonly trace: string;
  readonly blobs: string;
  readonly logs: string;
  readonly completion: string;
  readonly hooks: string;
  readonly out: string;
  readonly result: string;
  readonly compactionSummaries: string;
  /** `$TMPDIR` of commands. */
  readonly tmp: string;
  /** `$HOME` of commands. */
  readonly home: string;
  readonly children: string;
  /** Answer of one task of a threaded session. */
  readonly taskResult: (taskId: string) => string;
}

/** Paths of one running session: removed when it ends. */
export interface SessionLayout {
  readonly root: string;
  readonly lock: string;
  /** Readable by commands, never writable. */
  readonly runtime: string;
  readonly guide: string;
  readonly task: string;
  readonly manifest: string;
  readonly tools: string;
  readonly plans: string;
  readonly delegations: string;
  readonly sealedEtc: string;
  /** Private files of one harness run. */
  readonly harnessRun: (runId: string) => string;
}

/** Every path below `~/.murmur`. */
export interface HomeLayout {
  readonly root: string;
  readonly config: string;
  /** The global artifact store. */
  readonly artifacts: string;
  /** Cache of compiled components. */
  readonly compiled: string;
  readonly stateRoot: string;
  readonly state: (store: string) => string;
  readonly spend: string;
  /** Ledger of one UTC day, `YYYY-MM-DD`. */
  readonly spendLedger: (day: string) => string;
  readonly conversationsRoot: string;
  readonly conversation: (record: string, contextId: string) => ConversationLayout;
  readonly running: string;
  readonly runningRecord: (sessionId: string) => string;
  readonly controlToken: (sessionId: string) => string;
  readonly recordsRoot: string;
  /** All sessions of one workdir root (absolute). */
  readonly recordsGroup: (workdirRoot: string) => string;
  readonly records: (workdirRoot: string, sessionId: string) => RecordsLayout;
  readonly sessionsRoot: string;
  readonly session: (sessionId: string) => SessionLayout;
  readonly programs: string;
  readonly program: (digest: string) => string;
  readonly bin: string;
  readonly deployments: string;
  readonly deployStaging: string;
  readonly deployKeys: string;
}

/** Paths of one conversation. */
export interface ConversationLayout {
  readonly root: string;
  readonly log: string;
  /** Which harness session continues the conversation. */
  readonly harnessSession: string;
}

/** Every path of a project: the directory that holds the capsule manifest. */
export interface ProjectLayout {
  readonly root: string;
  readonly manifest: string;
  readonly lock: string;
  readonly roster: string;
  readonly env: string;
  readonly config: string;
  /** The project artifact store. */
  readonly artifacts: string;
  /** Directory of the workdirs that `mur` makes itself. */
  readonly workdirRoot: string;
  readonly workdir: (sessionId: string) => string;
}

/** Mode of directories below `~/.murmur` that nobody else may enter. */
export const PRIVATE_DIRECTORY_MODE = 0o700;
/** Mode of files that nobody else may read. */
export const PRIVATE_FILE_MODE = 0o600;

/**
 * Every path below `~/.murmur` of a home directory. Computes, touches nothing. Throws `E-RUN-903` for a home
 * that is not an absolute path. Spec: manifest, the disk.
 */
export function layout(home: string): HomeLayout {
  if (!path.isAbsolute(home) || home.includes('\0')) {
    const reason = home === '' ? 'no home directory is known' : 'the home directory is not an absolute path';
    throw new MurmurError({ variant: 'HomeUnusable', reason });
  }
  const root = path.join(home, '.murmur');
  const below = (...names: string[]): string => path.join(root, ...names.map(segment));
  const recordsGroup = (workdirRoot: string): string => {
    if (!path.isAbsolute(workdirRoot)) throw new Error('a workdir root must be absolute');
    return path.join(
      root,
      'records',
      path.relative(path.parse(workdirRoot).root, path.normalize(workdirRoot)),
    );
  };
  return Object.freeze({
    root,
    config: below('config.yaml'),
    artifacts: below('artifacts'),
    compiled: below('compiled'),
    stateRoot: below('state'),
    state: (store: string) => below('state', store),
    spend: below('spend'),
    spendLedger: (day: string) => below('spend', `${day}.jsonl`),
    conversationsRoot: below('conversations'),
    conversation: (record: string, contextId: string) =>
      conversationLayout(below('conversations', record, contextId)),
    running: below('running'),
    runningRecord: (sessionId: string) => below('running', `${sessionId}.json`),
    controlToken: (sessionId: string) => below('running', `${sessionId}.control`),
    recordsRoot: below('records'),
    recordsGroup,
    records: (workdirRoot: string, sessionId: string) =>
      recordsLayout(path.join(recordsGroup(workdirRoot), segment(sessionId))),
    sessionsRoot: below('sessions'),
    session: (sessionId: string) => sessionLayout(below('sessions', sessionId)),
    programs: below('programs'),
    program: (digest: string) => below('programs', digest),
    bin: below('bin'),
    deployments: below('deployments.json'),
    deployStaging: below('deploy_staging'),
    deployKeys: below('deploy_keys'),
  });
}

/** Every path of a project. Computes, touches nothing. Spec: manifest, the disk. */
export function projectLayout(projectRoot: string): ProjectLayout {
  const below = (...names: string[]): string => path.join(projectRoot, ...names);
  return Object.freeze({
    root: projectRoot,
    manifest: below('murmur.yaml'),
    lock: below('murmur.lock'),
    roster: below('roster.yaml'),
    env: below('.env'),
    config: below('.murmur', 'config.yaml'),
    artifacts: projectArtifacts(projectRoot),
    workdirRoot: below('workdir'),
    workdir: (sessionId: string) => below('workdir', segment(sessionId)),
  });
}

/** The artifact store of a project. */
export function projectArtifacts(projectRoot: string): string {
  return path.join(projectRoot, '.murmur', 'artifacts');
}

function recordsLayout(root: string): RecordsLayout {
  const below = (...names: string[]): string => path.join(root, ...names);
  return Object.freeze({
    root,
    trace: below('trace.jsonl'),
    blobs: below('blobs'),
    logs: below('logs'),
    completion: below('completion.json'),
    hooks: below('hooks'),
    out: below('out'),
    result: below('out', 'result.txt'),
    compactionSummaries: below('out', 'compaction-summaries.jsonl'),
    tmp: below('tmp'),
    home: below('home'),
    children: below('children'),
    taskResult: (taskId: string) => below('out', `result_${segment(taskId)}.txt`),
  });
}

function sessionLayout(root: string): SessionLayout {
  const below = (...names: string[]): string => path.join(root, ...names);
  return Object.freeze({
    root,
    lock: below('.lock'),
    runtime: below('runtime'),
    guide: below('runtime', 'MURMUR.md'),
    task: below('runtime', 'task.md'),
    manifest: below('runtime', 'murmur.yaml'),
    tools: below('runtime', 'tools'),
    plans: below('runtime', 'plans'),
    delegations: below('runtime', 'delegations'),
    sealedEtc: below('sealed-etc'),
    harnessRun: (runId: string) => below('harness', segment(runId)),
  });
}

function conversationLayout(root: string): ConversationLayout {
  return Object.freeze({
    root,
    log: path.join(root, 'conversation.jsonl'),
    harnessSession: path.join(root, 'harness-session.json'),
  });
}

/** Names are judged where they come in; one that could still lead elsewhere is a fault of this program. */
function segment(name: string): string {
  if (!isPathSegment(name)) throw new Error(`not usable as a name below ~/.murmur: ${JSON.stringify(name)}`);
  return name;
}
