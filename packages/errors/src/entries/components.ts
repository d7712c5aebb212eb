import { errorEntry } from '../define.js';
import { number, oneOf, prose, text } from '../fields.js';
import { coordinate } from '../phrase.js';

/** Compiling and executing components, and the limits put on guests and host processes. */
export const componentErrors = [
  errorEntry({
    variant: 'ToolComponentCompile',
    code: 'E-RUN-001',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, message: prose },
    summary: 'The component of an installed artifact does not compile.',
    message: (f) => `the component of ${coordinate(f)} does not compile: ${f.message}`,
    remedy: null,
    explanation:
      'The WebAssembly of a tool, driver or hook is not valid or was refused on the way to a runnable form. Rebuild the artifact from source, or install another release of it.',
  }),
  errorEntry({
    variant: 'CapsuleCompile',
    code: 'E-RUN-001',
    stage: 'staging-before-workdir',
    fields: { message: prose },
    summary: "The capsule's own component does not compile or is absent.",
    message: (f) => `the capsule's own component does not compile: ${f.message}`,
    remedy: null,
    explanation:
      'A capsule without an inference block runs its own component. Either there is none, or it does not validate. Build it again, or add an inference block if the capsule was meant to be an agent.',
  }),
  errorEntry({
    variant: 'CapsuleExportMissing',
    code: 'E-RUN-001',
    stage: 'launch',
    fields: {},
    summary: "The capsule's component lacks the interface it is started by.",
    message: () =>
      "the capsule's component does not export 'murmur:capsule/run@0.1.0' with its function 'run': run 'mur install' if it is a default artifact, otherwise rebuild it against that interface",
    remedy: null,
    explanation:
      'A script capsule is started by one exported function. The component was built against another version of the interface, or against none.',
  }),
  errorEntry({
    variant: 'ToolExportMissing',
    code: 'E-RUN-001',
    stage: 'turn',
    fields: { name: text },
    summary: 'A tool or driver lacks the interface it is called by.',
    message: (f) =>
      `'${f.name}' does not export 'murmur:tool/run@0.1.0' with its function 'run': run 'mur install' if it is a default artifact, otherwise rebuild it against that interface`,
    remedy: null,
    explanation:
      'The artifact is declared as something that is called through murmur:tool/run, and its component was built against another interface.',
  }),
  errorEntry({
    variant: 'CapsuleTrap',
    code: 'E-RUN-001',
    stage: 'turn',
    fields: { message: prose },
    summary: 'Guest code trapped.',
    message: (f) => `guest code trapped: ${f.message}`,
    remedy: null,
    explanation:
      'The guest ended in a trap or an exception that is neither its deadline nor one of its limits. The instance is thrown away. When the cause is an import that nothing supplies, the code is E-RUN-002.',
  }),
  errorEntry({
    variant: 'CapsuleDeadlineExceeded',
    code: 'E-RUN-001',
    stage: 'turn',
    fields: { seconds: number },
    summary: 'Guest code ran past its deadline.',
    message: (f) => `guest execution was interrupted at its deadline of ${f.seconds} seconds`,
    remedy: 'find the loop that does not end, or raise capabilities.limits.deadline_seconds',
    explanation:
      'Every call into a guest has a deadline, and the process that ran it was killed when it passed. Raise the key only when the work is known to take that long.',
  }),
  errorEntry({
    variant: 'CapsuleResourceLimit',
    code: 'E-RUN-001',
    stage: 'turn',
    fields: { message: prose },
    summary: 'Guest code reached its memory or table limit.',
    message: (f) => `guest execution reached a limit: ${f.message}`,
    remedy:
      'find what allocates too much, or raise capabilities.limits.memory_bytes or capabilities.limits.table_elements',
    explanation:
      'The memory or the tables of a guest grew to the ceiling in capabilities.limits. This bounds WebAssembly guests; native programs are bounded by capabilities.resources and reported as E-RUN-011.',
  }),
  errorEntry({
    variant: 'ShellResourceLimitExceeded',
    code: 'E-RUN-011',
    stage: 'turn',
    fields: {
      binary: text,
      limit: oneOf('cpu_seconds', 'max_file_size_bytes', 'cgroup_memory_bytes', 'cgroup_pids_max'),
      detail: prose,
    },
    summary: 'A native program was ended by a resource ceiling.',
    message: (f) => `'${f.binary}' was ended by capabilities.resources.${f.limit}: ${f.detail}`,
    remedy: (f) =>
      `raise capabilities.resources.${f.limit} when the work is legitimate, otherwise stop the runaway process`,
    explanation:
      'The kernel left evidence that names exactly one ceiling: a signal for processor time or file size, or the counter of the cgroup for memory or processes. An end that is less certain is never reported under this code.',
  }),
  errorEntry({
    variant: 'WorkdirSizeExceeded',
    code: 'E-RUN-013',
    stage: 'turn',
    fields: { max_bytes: number, observed_bytes: number },
    summary: 'The workdir grew past its ceiling.',
    message: (f) =>
      `the workdir holds ${f.observed_bytes} bytes, above capabilities.resources.workdir_max_bytes (${f.max_bytes})`,
    remedy: 'find what fills the workdir, or raise capabilities.resources.workdir_max_bytes',
    explanation:
      'The size is measured while the session runs; once it is above the ceiling nothing more is spawned, and the turn ends with this error.',
  }),
  errorEntry({
    variant: 'ToolDataPathRefused',
    code: 'E-RUN-001',
    stage: 'turn',
    fields: { tool: text, path: text, code: text, detail: prose },
    summary: 'A tool pointed at output that cannot be read from the workdir.',
    message: (f) => `'${f.tool}' returned the path '${f.path}', which is refused: ${f.code}: ${f.detail}`,
    remedy: 'the tool must write its output under the workdir; links that lead out of it are refused',
    explanation:
      'What a tool hands over is read by the host, so a link would let it name any file of the host. Only plain files below the workdir are read, at every containment class.',
  }),
  errorEntry({
    variant: 'WasiInit',
    code: 'E-IO-003',
    stage: 'launch',
    fields: { path: text, message: prose },
    summary: "A guest's directories or environment could not be prepared.",
    message: (f) => `the guest's view of '${f.path}' cannot be prepared: ${f.message}`,
    remedy: null,
    explanation:
      'Before a guest starts, each directory it was granted is opened and its environment is put together. One of these steps failed; the message says which directory and why.',
  }),
] as const;
