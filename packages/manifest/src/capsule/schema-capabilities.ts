import { manifestDefaults } from '../defaults.js';
import {
  block,
  choice,
  described,
  flag,
  listOf,
  named,
  rawText,
  refusedKey,
  someOf,
  text,
  textWhere,
  wholeNumber,
} from '../fields.js';

const limits = manifestDefaults.componentLimits;
const resources = manifestDefaults.processResources;

const programName = textWhere(
  'a program name without a path',
  (value) => /^[^\s/\u0000-\u001f]+$/.test(value),
  '^[^\\s/\\u0000-\\u001f]+$',
);
const absolutePath = (value: string): boolean => value.startsWith('/') && !value.includes('\0');

const peerFetch = named(
  'peer_fetch',
  block({
    allow: described(
      'Peers whose shared files the capsule may fetch; same spelling as `network.allow`, never merged with it.',
      someOf(rawText()),
    ),
  }),
);

const shell = named(
  'shell',
  block({
    allow: described('Programs that may be run, by bare name.', someOf(programName)),
    strip_env: described(
      'Name patterns taken out of every environment, on top of the built-in credential patterns.',
      listOf(text()).default([]),
    ),
    baseline_env: described(
      'Name patterns that commands keep; absent = the built-in baseline.',
      listOf(text()).optional(),
    ),
    interpreter_runtime: described(
      'Host directories that an interpreter needs.',
      listOf(
        block({
          binary: described('A program listed in `shell.allow`.', text()),
          dirs: described(
            'The directories.',
            someOf(
              block({
                path: described(
                  'Absolute path outside the workdir.',
                  textWhere('an absolute path', absolutePath, '^/'),
                ),
                list_dir: described('Whether the directory may be listed as well.', flag()),
              }),
            ),
          ),
        }),
      ).default([]),
    ),
    staged_runtime: described(
      'Runtimes copied into a sealed root; needs a `sealed` floor.',
      listOf(
        block({
          binary: described('A program listed in `shell.allow`.', text()),
          source_path: described(
            'Absolute path of what is copied.',
            textWhere('an absolute path', absolutePath, '^/'),
          ),
          pin: described('What the author pins it to.', text()),
        }),
      ).default([]),
    ),
  }),
);

const env = named(
  'env',
  block({
    allow: described(
      'Host variables handed to the harness, to components and to delegated children; unset ones are left out.',
      listOf(text()).default([]),
    ),
  }),
);

const spawn = named(
  'spawn',
  block({
    allow: described('Capsules that this one may delegate to.', listOf(text()).default([])),
    workdir_snapshot: described(
      'Capsules of `spawn.allow` whose children get a read-only copy of this workdir.',
      listOf(text()).default([]),
    ),
  }),
);

const installEntry = textWhere(
  'an artifact name, a prefix followed by *, or *',
  (value) => value === '*' || /^([a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9-]*\*?$/.test(value),
  '^(\\*|([a-z0-9][a-z0-9-]*/)?[a-z0-9][a-z0-9-]*\\*?)$',
);

const install = named(
  'install',
  block({
    skill: described('Skills that may be pulled while the capsule runs.', listOf(installEntry).default([])),
    tool: described('Tools that may be pulled while the capsule runs.', listOf(installEntry).default([])),
    from: described(
      '`sources`: a pull may ask the configured sources; absent: the stores only.',
      choice(['sources']).optional(),
    ),
  }).refine((block) => block.skill.length + block.tool.length > 0, {
    error: 'must list at least one skill or tool',
  }),
);

const plan = named('plan', block({ submit: described('Whether the model may submit plans.', flag()) }));

const harness = named(
  'harness',
  block({
    paths: described(
      'Host directories that the driver of a harness may ask for.',
      listOf(
        block({
          path: described(
            'Absolute, or `~/…` below the home of the account running `mur`.',
            textWhere(
              'an absolute path or one that starts with ~/',
              (value) => absolutePath(value.replace(/^~(?=\/)/, '')),
              '^~?/',
            ),
          ),
          access: described('What is allowed at most.', choice(['read', 'read-write'])),
        }),
      ).default([]),
    ),
  }),
);

const bound = (value: number) => wholeNumber(1).default(value);

const componentLimits = named(
  'limits',
  block({
    memory_bytes: described('Linear memory of one component.', bound(limits.memoryBytes)),
    table_elements: described('Elements of its tables.', bound(limits.tableElements)),
    instances: described('Instances in one call.', bound(limits.instances)),
    deadline_seconds: described(
      'Wall clock of one call; absent = 600, for a hook 30.',
      wholeNumber(1).optional(),
    ),
  }),
);

const processResources = named(
  'resources',
  block({
    max_processes: described('Processes that may be started.', bound(resources.maxProcesses)),
    max_open_files: described('Open files of one process.', bound(resources.maxOpenFiles)),
    max_file_size_bytes: described('Size of a file that is written.', bound(resources.maxFileSizeBytes)),
    cpu_seconds: described('Processor time of one process.', bound(resources.cpuSeconds)),
    memory_bytes: described('Memory of one process.', bound(resources.memoryBytes)),
    cgroup_memory_bytes: described(
      'Memory of all processes of a session.',
      bound(resources.cgroupMemoryBytes),
    ),
    cgroup_pids_max: described('Number of processes of a session.', bound(resources.cgroupPidsMax)),
    cgroup_cpu_percent: described(
      'Processor share of a session, in percent of one core.',
      bound(resources.cgroupCpuPercent),
    ),
    cgroup_io_bytes_per_sec: described('Disk traffic of a session.', bound(resources.cgroupIoBytesPerSec)),
    workdir_max_bytes: described('Size of the workdir.', bound(resources.workdirMaxBytes)),
  }),
);

// Made anew for each key: a note belongs to one schema.
const containment = () => choice(['advisory', 'scoped', 'sealed']).optional();
const store = () => rawText().optional();

const filesystemKeys = {
  scope: described(
    'Path below the workdir that is visible; absent = the whole workdir.',
    rawText().optional(),
  ),
  read_only: described(
    'Paths below the workdir that cannot be written; `.` protects all of it.',
    listOf(rawText()).default([]),
  ),
  exec_trees: described(
    'Paths below the workdir whose files may be executed and therefore cannot be written.',
    listOf(rawText()).default([]),
  ),
  workdir_exec: described(
    'Whether files of the workdir may be executed; caps containment at `advisory`.',
    flag().default(false),
  ),
};

const unixSockets = 'Whether commands may create Unix sockets.';

/** `capabilities` of the capsule. */
export const capsuleCapabilities = block({
  network: described(
    'Hosts the capsule may reach.',
    block({
      allow: described(
        '`https://host[:port]`, `host` or `host:port`; empty = nothing.',
        listOf(rawText()).default([]),
      ),
      unix_sockets: described(unixSockets, flag().default(false)),
    }).prefault({}),
  ),
  peer_fetch: described('Fetching files that peers share; absent = none.', peerFetch.optional()),
  filesystem: described('What of the workdir is visible and writable.', block(filesystemKeys).prefault({})),
  shell: described('Running programs; absent = none.', shell.optional()),
  env: described('Variables taken from the host.', env.prefault({})),
  spawn: described('Delegation to other capsules.', spawn.prefault({})),
  install: described('Pulling artifacts while running; absent = none.', install.optional()),
  plan: described('Submitting plans; absent = no.', plan.optional()),
  harness: described('What the driver of a harness may ask for.', harness.prefault({})),
  limits: described('Bounds of each component.', componentLimits.prefault({})),
  resources: described('Bounds of the processes of a session.', processResources.prefault({})),
  containment: described('The weakest containment the capsule accepts; absent = any.', containment()),
  state: described(
    'Granted per artifact only; here it has no effect and warns.',
    block({ store: described('Name of the store.', store()) }).optional(),
  ),
  task_io: described('Refused here: it belongs on the entry of a hook.', refusedKey()),
  conversation: described(
    'Granted per hook only; here it has no effect and warns.',
    block({ read: described('Whether the record may be read.', flag().optional()) }).optional(),
  ),
});

/** `capabilities` of one artifact. */
export const artifactCapabilities = block({
  network: described(
    'Hosts this artifact may reach, inside the ceiling.',
    block({
      allow: described(
        'As for the capsule; empty = nothing, absent = the ceiling (a hook: nothing).',
        listOf(rawText()).optional(),
      ),
      unix_sockets: described(unixSockets, flag().optional()),
    }).optional(),
  ),
  peer_fetch: described('No effect on an artifact.', peerFetch.optional()),
  filesystem: described(
    'What of the workdir this artifact sees.',
    block({
      ...filesystemKeys,
      records: described('A hook sees the records directory instead of the workdir.', flag().default(false)),
    }).optional(),
  ),
  shell: described('No effect on an artifact.', shell.optional()),
  env: described('No effect on an artifact.', env.optional()),
  spawn: described('No effect on an artifact.', spawn.optional()),
  install: described('Refused here: it belongs to the capsule.', refusedKey()),
  plan: described('No effect on an artifact.', plan.optional()),
  harness: described('No effect on an artifact.', harness.optional()),
  limits: described('No effect on an artifact.', componentLimits.optional()),
  resources: described('No effect on an artifact.', processResources.optional()),
  containment: described('No effect on an artifact.', containment()),
  state: described(
    'A directory that outlives the session.',
    block({ store: described('Its name; absent = the name of the capsule.', store()) }).optional(),
  ),
  task_io: described(
    'A hook reads tasks and answers.',
    block({ read: described('Whether it may.', flag()) }).optional(),
  ),
  conversation: described(
    'A hook reads the conversation.',
    block({ read: described('Whether it may.', flag()) }).optional(),
  ),
});
