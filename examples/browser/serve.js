// Serves the page, its scripts bundled, and the models:  node examples/browser/serve.js [PORT]
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const { outputFiles } = await build({
  entryPoints: [path('main.js'), path('worker.js')],
  outdir: '/',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  write: false,
});
const scripts = new Map(outputFiles.map(({ path: name, contents }) => [`/${basename(name)}`, contents]));

const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);

const FILES = new Map([
  ['/', ['index.html', 'text/html']],
  ['/models/english-pos.safetensors', ['../../models/english-pos.safetensors', 'application/octet-stream']],
  [
    '/models/english-chunk.safetensors',
    ['../../models/english-chunk.safetensors', 'application/octet-stream'],
  ],
]);

const server = createServer(({ url }, response) => {
  // What stands before a query; anything that is none of these paths is not here.
  const pathname = url.split('?', 1)[0];
  const script = scripts.get(pathname);
  if (script !== undefined) {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    return;
  }
  const [file, type] = FILES.get(pathname) ?? [];
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
  createReadStream(path(file)).pipe(response);
});
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/ (scripts ${(bytes / 1000).toFixed(0)} kB)`);
});
