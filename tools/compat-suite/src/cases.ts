import { existsSync } from 'node:fs';
import type { JailGrants } from '@murmur/containment';

export interface Case {
  readonly name: string;
  readonly grants: JailGrants;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The whole of what it prints, and it ends with 0. */
  readonly prints: string;
}

const programs = (...names: readonly string[]): readonly string[] => names.map((name) => `/usr/bin/${name}`);

const shell = (
  name: string,
  script: string,
  prints: string,
  grants: JailGrants = {},
  env: Readonly<Record<string, string>> = {},
): Case => ({ name, grants, program: '/bin/sh', args: ['-ec', script], env, prints });

const python = (name: string, script: string, prints: string, grants: JailGrants = {}): Case => ({
  name,
  grants: { executables: programs('python3'), ...grants },
  program: '/usr/bin/python3',
  args: ['-c', script],
  prints,
});

const node = (name: string, script: string, prints: string, grants: JailGrants = {}): Case => ({
  name,
  grants: { executables: [process.execPath], ...grants },
  program: process.execPath,
  args: ['-e', script],
  prints,
});

const coreutils = programs(
  'sh',
  'cat',
  'cp',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'ln',
  'touch',
  'tr',
  'wc',
  'sleep',
  'seq',
  'id',
);

/** Directories of a compiler's helpers; asked for by their usual places, since a case names its grants. */
const gccTrees = ['/usr/lib/gcc', '/usr/libexec/gcc'].filter((tree) => existsSync(tree));

const gitGrants: JailGrants = {
  executables: [...coreutils, ...programs('git', 'sed', 'basename', 'uname')],
  executableTrees: ['/usr/lib/git-core'],
};
const gitEnvironment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};

export const CASES: readonly Case[] = [
  shell(
    'sh: pipes and redirections',
    'echo one > f; cat f | tr o 0 | wc -c; echo two > /dev/stdout',
    '4\ntwo\n',
    {
      executables: coreutils,
    },
  ),
  shell('sh: background and wait', '(sleep 0.01; echo late) & echo early; wait', 'early\nlate\n', {
    executables: coreutils,
  }),
  shell('sh: here-document', 'cat <<END\ntext\nEND', 'text\n', { executables: coreutils }),
  shell(
    'coreutils: links and renames across directories',
    'mkdir -p a/b c; echo x > a/b/f; ln a/b/f c/hard; ln -s ../a/b/f c/soft; mv a/b/f c/f; cat c/f c/hard; rm -r a c; ls',
    'x\nx\n',
    { executables: coreutils },
  ),
  shell('coreutils: scratch space', 'echo s > /tmp/f; mv /tmp/f here; cat here; echo > /dev/null', 's\n', {
    executables: coreutils,
  }),
  shell('id: the account has a name', 'id -un', 'capsule\n', { executables: coreutils }),
  shell('bash: process substitution', "bash -c 'cat <(echo sub)'", 'sub\n', {
    executables: [...coreutils, ...programs('bash')],
  }),
  shell(
    'git: commit, branch, merge, clone',
    `git init -q -b main r; cd r; echo 1 > f; git add f; git commit -q -m one
     git checkout -q -b side; echo 2 > g; git add g; git commit -q -m two; git checkout -q main
     git merge -q --no-ff -m three side; cd ..; git clone -q r s; cd s; git log --first-parent --format=%s; git gc -q; git fsck`,
    'three\none\n',
    gitGrants,
    gitEnvironment,
  ),
  python(
    'python3: threads and subprocess',
    "import threading, subprocess\nt = threading.Thread(target=lambda: print('thread')); t.start(); t.join()\nprint(subprocess.check_output(['/bin/echo', 'child'], text=True), end='')",
    'thread\nchild\n',
    { executables: programs('python3', 'echo') },
  ),
  python(
    'python3: multiprocessing pool',
    "import multiprocessing as m\nif __name__ == '__main__':\n  m.set_start_method('fork')\n  with m.Pool(2) as p: print(sum(p.map(abs, range(-5, 5))))",
    '25\n',
  ),
  python(
    'python3: server on the loopback',
    "import socket, threading\ns = socket.create_server(('127.0.0.1', 0))\ndef serve():\n  c, _ = s.accept(); c.sendall(b'served'); c.close()\nthreading.Thread(target=serve).start()\nprint(socket.create_connection(s.getsockname()).recv(9).decode())",
    'served\n',
    { network: 'loopback' },
  ),
  python(
    'python3: no server without the grant',
    "import socket\ntry:\n  socket.socket().bind(('127.0.0.1', 0))\nexcept OSError as e: print(e.strerror)",
    'Permission denied\n',
  ),
  python(
    'python3: ssl, sqlite3, tempfile, pty',
    "import ssl, sqlite3, tempfile, pty, os\nssl.create_default_context()\nsqlite3.connect('d').execute('create table t(x)')\ntempfile.TemporaryFile().write(b'x')\nm, s = pty.openpty(); os.write(s, b'tty'); print(os.read(m, 9).decode())",
    'tty\n',
  ),
  node(
    'node: memory, processors, interfaces',
    "const os = require('os'); console.log(process.memoryUsage().rss > 0, os.cpus().length > 0, Object.keys(os.networkInterfaces()).join())",
    'true true lo\n',
  ),
  node(
    'node: files and a child',
    "const fs = require('fs'); fs.writeFileSync('f', 'x'); console.log(fs.readFileSync('f', 'utf8'), require('child_process').execFileSync(process.execPath, ['-p', '1+1']).toString().trim())",
    'x 2\n',
  ),
  node(
    'node: worker threads',
    "const { Worker } = require('worker_threads'); new Worker('require(\"worker_threads\").parentPort.postMessage(7)', { eval: true }).on('message', console.log)",
    '7\n',
  ),
  node(
    'node: http over the loopback',
    "const s = require('http').createServer((q, r) => r.end('served')).listen(0, '127.0.0.1', async () => { console.log(await (await fetch('http://127.0.0.1:' + s.address().port)).text()); s.close(); s.closeAllConnections(); })",
    'served\n',
    { network: 'loopback' },
  ),
  shell(
    'gcc: builds, and what it built does not run',
    `echo 'int main(void) { return 0; }' > m.c; gcc -static -o m m.c; test -s m && echo built; ./m || echo refused $?`,
    'built\nrefused 126\n',
    {
      executables: [...coreutils, ...programs('gcc', 'as', 'ld', 'test')],
      executableTrees: gccTrees,
    },
  ),
];

/** A static C program, made outside and listed by itself. */
export const STATIC_SOURCE = '#include <stdio.h>\nint main(void) { puts("static"); return 0; }\n';
