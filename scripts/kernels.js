// Compiles the AssemblyScript kernels into src/kernels/simd-binary.ts, which holds the WebAssembly module as text, so
// that Node, bundlers and browsers need no fetch.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const binary = join(tmpdir(), `spanwright-kernels-${process.pid}.wasm`);
const { error, stderr } = await asc.main([
  'src/kernels/assembly/index.ts',
  ...['--baseDir', root, '--outFile', binary, '--runtime', 'stub', '--importMemory', '--noAssert'],
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--enable', 'simd', '--use', 'abort='],
]);
// Notes of the optimiser ("Last converge was suboptimal.") tell nothing about the source and are left out.
const messages = stderr.toString();
if (error || /^(ERROR|WARNING)/m.test(messages)) process.stderr.write(messages);
if (error) {
  console.error(String(error));
  process.exit(1);
}
const base64 = readFileSync(binary).toString('base64');
rmSync(binary);
const path = join(root, 'src/kernels/simd-binary.ts');
const source = `/** The WebAssembly module of the SIMD kernels, in base64; made by scripts/kernels.js. */\nexport const SIMD_BINARY: string =\n  '${base64}';\n`;
// Replaced in one step, and only where it changes, since tests that run meanwhile read it.
if (source !== previous()) {
  writeFileSync(`${path}.${process.pid}`, source);
  renameSync(`${path}.${process.pid}`, path);
}

function previous() {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
