/** Directories that hold what a build makes or needs, in several ecosystems. */
const directories = new Set(['target', 'node_modules', '__pycache__', '.git']);

/** Files that a build reads. */
const files = new Set([
  'Cargo.toml',
  'Cargo.lock',
  'package.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'tsconfig.json',
  'go.mod',
  'go.sum',
  'Makefile',
  'CMakeLists.txt',
]);

const extensions = ['.rs', '.ts', '.tsx', '.go', '.c', '.h', '.wit'];

/** Which of an archive's entries are inputs of its build and nothing that runs. */
export function buildInputs(names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const segments = name.split('/');
    const file = segments.pop() ?? '';
    return (
      segments.some((segment) => directories.has(segment)) ||
      files.has(file) ||
      extensions.some((extension) => file.endsWith(extension))
    );
  });
}
