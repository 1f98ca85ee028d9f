/**
 * The layers of docs/DESIGN.md: a folder imports only from itself and from the folders above it in this list.
 */
const layers = [
  'base',
  'kernels',
  'text',
  'data',
  'tags',
  'score',
  'features',
  'reduce',
  'decode',
  'learn',
  'model',
  'label',
  'tasks',
  'combine',
  'evaluate',
  'report',
  'experiment',
];

module.exports = {
  forbidden: [
    ...layers.map((layer, index) => ({
      name: `layer-${layer}`,
      severity: 'error',
      comment: `src/${layer} may import only from the layers above it`,
      from: { path: `^src/${layer}/` },
      to: {
        path: `^src/(${[...layers.slice(index + 1), 'node', 'cli'].join('|')})/|^src/index\\.ts$`,
      },
    })),
    {
      name: 'node-below-cli',
      severity: 'error',
      from: { path: '^src/node/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'index-is-platform-free',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^src/(node|cli)/' },
    },
    {
      name: 'no-node-modules-in-core',
      severity: 'error',
      comment: 'only src/node and src/cli may touch Node',
      from: { path: '^src/', pathNot: '^src/(node|cli)/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg', 'unknown'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
