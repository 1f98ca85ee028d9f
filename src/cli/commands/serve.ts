import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listNames, OptionError, quote } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import { BUNDLED_MODEL_NAMES } from '../../model/bundled-models.js';
import { loadModelFile, modelPath } from '../../node/corpora.js';
import { makeFolder } from '../../node/files.js';
import { ID_PATTERN } from '../../project/project.js';
import type { Store } from '../../project/store.js';
import { createApp } from '../../serve/app.js';
import { exportSite } from '../../serve/export-site.js';
import { FilesStore } from '../../serve/files-store.js';
import { isLoopback, LOOPBACK, listen } from '../../serve/listen.js';
import { ModelShelf, type ShelvedModel } from '../../serve/model-shelf.js';
import { readPage } from '../../serve/page-files.js';
import { ROLES, type Role, TokenFile } from '../../serve/tokens.js';
import type { Command } from '../command.js';
import { posModelName } from '../options.js';
import { counted, say, warn } from '../render.js';

const OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'host',
    kind: 'string',
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    help: 'address to listen on; any but this machine’s own needs --token',
  },
  {
    name: 'port',
    kind: 'integer',
    min: 0,
    max: 65535,
    default: 8137,
    help: 'port; 0 takes any that is free',
  },
  {
    name: 'model',
    short: 'm',
    kind: 'string',
    placeholder: 'FILE,…',
    help: 'models to offer besides the package’s',
  },
  {
    name: 'token',
    kind: 'string',
    placeholder: 'FILE',
    help: 'file of those who may use the server; --invite adds to it',
  },
  {
    name: 'store',
    advanced: true,
    kind: 'string',
    placeholder: 'ADDRESS',
    help: 'keep projects in PostgreSQL (postgres://…) in place of FOLDER, for several servers at a time; needs the package pg',
  },
  {
    name: 'export',
    kind: 'string',
    placeholder: 'SITE',
    help: 'write the page as static files into this folder, and end; projects are then kept in the browser',
  },
  {
    name: 'invite',
    kind: 'string',
    placeholder: 'NAME',
    help: 'add somebody to --token, print the token, and end',
  },
  { name: 'role', kind: 'choice', choices: ROLES, default: 'annotator', help: 'what who is invited may do' },
  { name: 'revoke', kind: 'string', placeholder: 'NAME', help: 'remove somebody from --token, and end' },
  {
    name: 'allow-host',
    advanced: true,
    kind: 'string',
    placeholder: 'NAME,…',
    help: 'names by which the server is reached, where that is not --host (behind a proxy)',
  },
];

/** `spanwright serve`. */
export const serveCommand: Command = {
  name: 'serve',
  help: 'open the studio: a page to try, train, annotate and compare models, and its HTTP interface',
  positionals: ['[FOLDER]'],
  groups: [{ heading: 'Options', options: OPTIONS }],
  notes:
    'FOLDER keeps projects; without one they are kept in the browser. The interface: /api/v1/openapi.json.\nExample: spanwright serve annotations',
  async run({ options, positionals: [folder] }) {
    if (await changeTokens(options)) return;
    const host = String(options.host ?? '127.0.0.1');
    const tokens = await tokensOf(options, host);
    const shelf = new ModelShelf(await shelvedModels(options));
    const page = await readPage(fileURLToPath(new URL('../studio/', import.meta.url)));
    if (options.export !== undefined) {
      const files = await exportSite(String(options.export), page, shelf);
      say(`${options.export}: ${counted(files, 'file')}\n`);
      return;
    }
    const store = await storeOf(options, folder);
    const named = options['allow-host'] === undefined ? [] : String(options['allow-host']).split(',');
    const hosts = new Set([...LOOPBACK, host, ...named].map((name) => name.toLowerCase()));
    const server = await listen(
      createApp({ shelf, page, hosts, tokens, store }),
      host,
      Number(options.port ?? 8137),
    );
    say(`http://${host.includes(':') ? `[${host}]` : host}:${server.port}/\n`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    await server.close();
    await store?.close();
  },
};

/** Where projects are kept; nothing where they are kept in the browser. */
async function storeOf({ store }: OptionValues, folder: string | undefined): Promise<Store | undefined> {
  if (store !== undefined) {
    if (folder !== undefined)
      throw new OptionError('store', '--store: expected no FOLDER beside it, found both');
    const address = String(store);
    if (!/^postgres(ql)?:\/\//.test(address)) {
      throw new OptionError('store', `--store: expected an address postgres://…, found ${quote(address)}`);
    }
    const { PostgresStore } = await import('../../serve/postgres-store.js');
    return PostgresStore.open(address);
  }
  if (folder === undefined) return undefined;
  await makeFolder(folder);
  return new FilesStore(folder, warn);
}

/** Does what --invite and --revoke say; false where neither is given. */
async function changeTokens({ invite, revoke, role, token }: OptionValues): Promise<boolean> {
  if (invite === undefined && revoke === undefined) return false;
  if (token === undefined)
    throw new OptionError('token', '--token FILE is required with --invite and --revoke');
  const file = new TokenFile(String(token));
  if (revoke !== undefined) await file.revoke(String(revoke));
  if (invite !== undefined) say(`${await file.invite(String(invite), (role ?? 'annotator') as Role)}\n`);
  return true;
}

async function tokensOf({ token }: OptionValues, host: string): Promise<TokenFile | undefined> {
  if (token === undefined) {
    if (isLoopback(host)) return undefined;
    throw new OptionError(
      'token',
      `--host ${host}: expected --token FILE, without which nobody but this machine is served`,
    );
  }
  const file = new TokenFile(String(token));
  if ((await file.count()) === 0) {
    throw new OptionError(
      'token',
      `--token ${token}: expected somebody to be in it; --invite NAME adds them`,
    );
  }
  return file;
}

/** The package's models and those given, each with the one that fills in what it reads. */
async function shelvedModels({ model }: OptionValues): Promise<ShelvedModel[]> {
  const shelved = new Map<string, ShelvedModel>();
  const add = async (path: string) => {
    const name = posModelName(path).toLowerCase();
    if (!ID_PATTERN.test(name)) {
      throw new OptionError(
        'model',
        `--model: expected a file name of a-z, 0-9 and -, found ${quote(basename(path))}`,
      );
    }
    if (shelved.has(name)) {
      throw new OptionError('model', `--model: expected files of different names, found two called ${name}`);
    }
    const { posModel } = await loadModelFile(path);
    const beside = posModel && join(dirname(path), `${posModel}.safetensors`);
    const isBeside = beside !== undefined && existsSync(beside);
    if (isBeside && !shelved.has(posModel as string)) await add(beside);
    const before = posModel !== undefined && shelved.has(posModel) ? posModel : undefined;
    shelved.set(name, { name, path, before });
  };
  for (const name of BUNDLED_MODEL_NAMES) if (!shelved.has(name)) await add(modelPath(name));
  const given = model === undefined ? [] : String(model).split(',');
  for (const path of given) await add(path);
  if (shelved.size === 0)
    throw new OptionError('model', `expected models, found none of ${listNames(BUNDLED_MODEL_NAMES)}`);
  return [...shelved.values()];
}
