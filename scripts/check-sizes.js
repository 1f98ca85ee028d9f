// Checks that no file of src/ and studio/ has more than 500 lines, no function more than 80, and no function more than 8 parameters. The
// twins of kernels (src/kernels/assembly) and the module made from them are not looked at: there parameters are the interface.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const MOST_FILE_LINES = 500;
const MOST_FUNCTION_LINES = 80;
const MOST_PARAMETERS = 8;

const root = fileURLToPath(new URL('..', import.meta.url));
const problems = [];

/** Name of a function, for messages. */
function nameOf(node) {
  const named = node.name ?? node.parent?.name;
  return named && ts.isIdentifier(named)
    ? named.text
    : ts.isConstructorDeclaration(node)
      ? 'constructor'
      : 'function';
}

const files = ['src', 'studio'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true }).map((name) => `${folder}/${name}`),
);
for (const path of files.filter((name) => /\.tsx?$/.test(name)).sort()) {
  if (path.startsWith('src/kernels/assembly/') || path === 'src/kernels/simd-binary.ts') continue;
  const text = readFileSync(`${root}${path}`, 'utf8');
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const fileLines = lineOf(text.length) - 1;
  if (fileLines > MOST_FILE_LINES) {
    problems.push(`${path}: expected at most ${MOST_FILE_LINES} lines, found ${fileLines}`);
  }
  const visit = (node) => {
    if (ts.isFunctionLike(node)) {
      const first = lineOf(node.getStart(source));
      const lines = lineOf(node.end) - first + 1;
      const at = `${path}:${first}: ${nameOf(node)}`;
      if (node.body && lines > MOST_FUNCTION_LINES) {
        problems.push(`${at}: expected at most ${MOST_FUNCTION_LINES} lines, found ${lines}`);
      }
      if (node.parameters.length > MOST_PARAMETERS) {
        problems.push(
          `${at}: expected at most ${MOST_PARAMETERS} parameters, found ${node.parameters.length}`,
        );
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
