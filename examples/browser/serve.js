// Serves the page, its script bundled, and the models:  node examples/browser/serve.js [PORT]
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const { outputFiles } = await build({
  entryPoints: [path('main.js')],
  bundle: true,
  format: 'esm',
  minify: true,
  write: false,
});
const script = outputFiles[0].contents;

const FILES = {
  '/': ['index.html', 'text/html'],
  '/models/english-pos.safetensors': ['../../models/english-pos.safetensors', 'application/octet-stream'],
  '/models/english-chunk.safetensors': ['../../models/english-chunk.safetensors', 'application/octet-stream'],
};

const server = createServer(({ url }, response) => {
  if (url === '/main.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    return;
  }
  const [file, type] = FILES[url] ?? [];
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
  createReadStream(path(file)).pipe(response);
});
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/ (script ${(script.length / 1000).toFixed(0)} kB)`);
});
