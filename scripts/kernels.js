// Compiles the AssemblyScript kernels into src/kernels/simd-binary.ts, which holds the WebAssembly module as text, so
// that Node, bundlers and browsers need no fetch.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const binary = join(tmpdir(), `spanwright-kernels-${process.pid}.wasm`);
const { error } = await asc.main(
  [
    'src/kernels/assembly/index.ts',
    ...['--baseDir', root, '--outFile', binary, '--runtime', 'stub', '--importMemory', '--noAssert'],
    ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--enable', 'simd', '--use', 'abort='],
  ],
  { stderr: process.stderr },
);
if (error) {
  console.error(String(error));
  process.exit(1);
}
const base64 = readFileSync(binary).toString('base64');
rmSync(binary);
writeFileSync(
  join(root, 'src/kernels/simd-binary.ts'),
  `/** The WebAssembly module of the SIMD kernels, in base64; made by scripts/kernels.js. */\nexport const SIMD_BINARY =\n  '${base64}';\n`,
);
