/**
 * The layers of docs/DESIGN.md, the lowest first: a folder imports only from itself and from the layers before its own.
 * Folders of one layer stand side by side, and neither imports the other.
 */
const layers = [
  ['base'],
  ['kernels'],
  ['text'],
  ['data'],
  ['tags'],
  ['score'],
  ['features'],
  ['reduce'],
  ['decode'],
  ['model'],
  ['learn', 'tag'],
  ['train', 'label'],
  ['tasks'],
  ['systems'],
  ['evaluate'],
  ['report'],
  ['jobs'],
  ['project'],
  ['api'],
  ['node'],
  ['serve'],
  ['cli'],
];

/** What each side of the house must do without, although it lies in a layer before. */
const besides = { train: ['tag'], label: ['learn'] };

module.exports = {
  forbidden: [
    ...layers.flatMap((folders, level) =>
      folders.map((folder) => {
        const beside = [...folders.filter((other) => other !== folder), ...(besides[folder] ?? [])];
        return {
          name: `layer-${folder}`,
          severity: 'error',
          comment: `src/${folder} may import only from the layers before it`,
          from: { path: `^src/${folder}/` },
          to: {
            path: `^src/(${[...layers.slice(level + 1).flat(), ...beside].join('|') || '-'})/|^src/[a-z]+\\.ts$`,
          },
        };
      }),
    ),
    {
      name: 'index-is-platform-free',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^src/(node|serve|cli)/' },
    },
    {
      name: 'no-node-modules-in-core',
      severity: 'error',
      comment: 'only src/node, src/serve and src/cli may touch Node',
      from: { path: '^src/', pathNot: '^src/(node|serve|cli)/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg', 'unknown'] },
    },
    {
      name: 'studio-is-a-page',
      severity: 'error',
      comment: 'the page knows no Node, and nothing knows the page',
      from: { path: '^studio/' },
      to: { path: '^src/(node|serve|cli)/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'nothing-knows-the-page', severity: 'error', from: { path: '^src/' }, to: { path: '^studio/' } },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
};
