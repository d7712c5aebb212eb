import { errorEntry } from '../define.js';
import { osErrorField, prose, text } from '../fields.js';
import { osText } from '../phrase.js';

/** The session directory, system prompts, local skills, and work below the workdir. */
export const sessionDirectoryErrors = [
  errorEntry({
    variant: 'CreateWorkdir',
    code: 'E-IO-003',
    stage: 'staging',
    fields: { path: text, source: osErrorField },
    summary: 'The session directory cannot be created.',
    message: (f) => `cannot create the session directory '${f.path}': ${osText(f.source)}`,
    remedy: null,
    explanation:
      'This is the first moment at which anything of a session would exist on disk. Check that the place is writable for this user and that the disk has room.',
  }),
  errorEntry({
    variant: 'WriteToolManifest',
    code: 'E-IO-003',
    stage: 'staging',
    fields: { path: text, source: osErrorField },
    summary: 'A file of an artifact cannot be written into the session directory.',
    message: (f) => `cannot write '${f.path}' into the session directory: ${osText(f.source)}`,
    remedy: null,
    explanation:
      'While artifacts are placed into the session directory, their manifests, binaries and skills are written there. One of these writes failed.',
  }),
  errorEntry({
    variant: 'SystemPromptFileRead',
    code: 'E-RUN-009',
    stage: 'launch',
    fields: { path: text, source: osErrorField },
    summary: 'The system prompt file cannot be read.',
    message: (f) => `inference.system_prompt_file '${f.path}' cannot be read: ${osText(f.source)}`,
    remedy: null,
    explanation:
      'The manifest names a file with the system prompt. Correct the path, which is taken relative to the manifest, or the permissions of the file.',
  }),
  errorEntry({
    variant: 'CompactionSystemPromptFileRead',
    code: 'E-RUN-009',
    stage: 'launch',
    fields: { path: text, source: osErrorField },
    summary: "The compaction's system prompt file cannot be read.",
    message: (f) => `inference.compaction.system_prompt_file '${f.path}' cannot be read: ${osText(f.source)}`,
    remedy: null,
    explanation:
      'The manifest names a file with the system prompt for compaction. Correct the path or the permissions of the file.',
  }),
  errorEntry({
    variant: 'SystemPromptArtifactRead',
    code: 'E-RUN-009',
    stage: 'launch',
    fields: { name: text, source: osErrorField },
    summary: 'The skill bound as system prompt cannot be read.',
    message: (f) =>
      `inference.system_prompt_artifact names '${f.name}', whose skill.md cannot be read: ${osText(f.source)}; declare the skill under artifacts so that it is staged`,
    remedy: null,
    explanation:
      'A skill can serve as system prompt only when it is staged with the session, and only what stands under artifacts is staged.',
  }),
  errorEntry({
    variant: 'SkillSourceNotFound',
    code: 'E-IO-001',
    stage: 'staging-before-workdir',
    fields: { path: text },
    summary: 'The local source of a skill does not exist.',
    message: (f) => `the skill source '${f.path}' does not exist`,
    remedy: null,
    explanation: 'A skill entry points at a local path with source, and nothing is there. Correct the path.',
  }),
  errorEntry({
    variant: 'SkillSourceMissingSkillMd',
    code: 'E-IO-001',
    stage: 'staging-before-workdir',
    fields: { path: text },
    summary: 'The local source of a skill holds no skill.md.',
    message: (f) => `the skill source '${f.path}' holds no skill.md`,
    remedy: null,
    explanation:
      'The directory exists and no file in it is called skill.md, in any letter case. Add the file, or point source at the directory that has it.',
  }),
  errorEntry({
    variant: 'SkillSourceRead',
    code: 'E-IO-003',
    stage: 'staging-before-workdir',
    fields: { path: text, source: osErrorField },
    summary: 'The local source of a skill cannot be read.',
    message: (f) => `the skill source '${f.path}' cannot be read: ${osText(f.source)}`,
    remedy: null,
    explanation: 'The source exists and listing or reading it failed. Check its permissions and its kind.',
  }),
  errorEntry({
    variant: 'WorkdirPathRefused',
    code: 'E-RUN-904',
    stage: 'any',
    fields: { path: text, refused_at: text, operation: text, reason: prose },
    summary: 'A path in the workdir is not what the runtime may follow.',
    message: (f) =>
      `cannot ${f.operation} '${f.path}' in the workdir: refused at '${f.refused_at}': ${f.reason}`,
    remedy:
      'replace the link or special file by a plain file or directory; the runtime follows no link inside a workdir',
    explanation:
      'Whatever runs in a workdir can plant links and special files there, hoping that the host follows them out. The runtime therefore walks component by component, follows no link and opens only plain files and directories. Both paths are relative to the workdir.',
    provisional: true,
  }),
  errorEntry({
    variant: 'WorkdirIdentityMismatch',
    code: 'E-RUN-905',
    stage: 'any',
    fields: { workdir: text, expected: text, found: text },
    summary: 'The directory at the workdir path is not the one the session opened.',
    message: (f) =>
      `'${f.workdir}' is no longer the directory this session opened: expected ${f.expected}, found ${f.found}`,
    remedy: 'do not move or replace a workdir while a session uses it; start the session again',
    explanation:
      'The session remembers the identity (device and inode) of its workdir. Another directory now stands at the same path, so going on would read and write somewhere else.',
    provisional: true,
  }),
  errorEntry({
    variant: 'RuntimeDirUnavailable',
    code: 'E-RUN-901',
    stage: 'staging',
    fields: { path: text, reason: prose },
    summary: "The session's runtime directory cannot be made.",
    message: (f) => `the session's runtime directory '${f.path}' cannot be made: ${f.reason}`,
    remedy: (f) =>
      `make '${f.path}', and what lies above it, directories (no links) that this user owns and can write, mode 0700`,
    explanation:
      'Each session keeps its sockets and state in a directory of its own below ~/.murmur/sessions, outside the workdir.',
    provisional: true,
  }),
  errorEntry({
    variant: 'RecordsDirUnavailable',
    code: 'E-RUN-902',
    stage: 'staging',
    fields: { path: text, reason: prose },
    summary: "The session's records directory cannot be made.",
    message: (f) => `the session's records directory '${f.path}' cannot be made: ${f.reason}`,
    remedy: (f) =>
      `make '${f.path}', and what lies above it, directories (no links) that this user owns and can write, mode 0700`,
    explanation:
      'The trace and the other records of a session lie below ~/.murmur/records, where nothing that runs in the workdir can change them.',
    provisional: true,
  }),
  errorEntry({
    variant: 'HomeUnusable',
    code: 'E-RUN-903',
    stage: 'staging-before-workdir',
    fields: { reason: prose },
    summary: 'The home directory is unset or unusable.',
    message: (f) => `the home directory cannot be used: ${f.reason}`,
    remedy: 'run with HOME set to an absolute path of a directory that exists',
    explanation:
      'Stores, records and sessions lie below the home directory, so a run cannot start without one.',
    provisional: true,
  }),
] as const;
