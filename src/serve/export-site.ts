import { join } from 'node:path';
import { encodeUtf8 } from '../base/utf8.js';
import { VERSION } from '../base/version.js';
import { makeFolder, writeBytes } from '../node/files.js';
import { CONTENT_POLICY } from './guards.js';
import type { ModelShelf } from './model-shelf.js';
import type { PageFile } from './page-files.js';

/** Name of the file of the page that says where models are. */
const PLACE_FILE = 'studio.json';

/**
 * Writes the page as files that any file server gives out: projects are kept in the browser, models lie beside it.
 *
 * @returns number of files written.
 * @throws FileError when one cannot be written.
 */
export async function exportSite(
  folder: string,
  page: ReadonlyMap<string, PageFile>,
  shelf: ModelShelf,
): Promise<number> {
  await makeFolder(join(folder, 'models'));
  for (const [path, { bytes }] of page) {
    const isIndex = path === '/';
    await writeBytes(
      join(folder, isIndex ? 'index.html' : path.slice(1)),
      isIndex ? withPolicy(bytes) : bytes,
    );
  }
  const summaries = await shelf.summaries();
  const models = summaries.map((model) => ({ ...model, file: `models/${model.name}.safetensors` }));
  for (const { name, file } of models) await writeBytes(join(folder, file), await shelf.bytes(name));
  const place = { version: VERSION, server: false, models };
  await writeBytes(join(folder, PLACE_FILE), encodeUtf8(`${JSON.stringify(place, null, 2)}\n`));
  return page.size + models.length + 1;
}

/** The page with its policy inside, since a file server sends no headers of ours; what only headers can say is left out. */
function withPolicy(bytes: Uint8Array): Uint8Array {
  const policy = CONTENT_POLICY.replace(/frame-ancestors [^;]*; /, '');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return encodeUtf8(Buffer.from(bytes).toString().replace('<head>', `<head>\n    ${meta}`));
}
