import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.js';

export interface TypeProblem {
  /** Path below the project. */
  readonly file: string;
  readonly text: string;
}

/** Compiles `src/` of a consumer project to `out/`; answers with every problem, those in installed declarations included. */
export async function compile(project: string, toolRoot: string): Promise<readonly TypeProblem[]> {
  const config = {
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(toolRoot, 'node_modules/@types')],
      rootDir: 'src',
      outDir: 'out',
    },
    include: ['src'],
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(toolRoot, 'node_modules/typescript/bin/tsc');
  const result = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false'], {
    cwd: project,
    env: process.env,
  });
  const problems = typeProblemsIn(result.output);
  if (result.code !== 0 && problems.length === 0) throw new Error(`the compiler failed:\n${result.output}`);
  return problems;
}

/** Reads the compiler's plain output; lines that go on from a problem are joined to it. */
export function typeProblemsIn(output: string): readonly TypeProblem[] {
  const problems: { file: string; text: string }[] = [];
  for (const line of output.split('\n')) {
    const match = /^(.+?)\(\d+,\d+\): error/.exec(line);
    const last = problems.at(-1);
    if (match?.[1] !== undefined) problems.push({ file: match[1], text: line });
    else if (line.startsWith(' ') && last !== undefined) last.text += `\n${line}`;
    else if (/^error /.test(line)) problems.push({ file: '', text: line });
  }
  return problems;
}
