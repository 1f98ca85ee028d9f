import { useSignal } from '@preact/signals';

interface Way {
  readonly title: string;
  readonly code: string;
}

/** The same labelling by other means. */
export function waysOf(model: string, text: string, isBundled: boolean, api: string | undefined): Way[] {
  const source = isBundled ? model : `${model}.safetensors`;
  const one = text.length > 120 ? `${text.slice(0, 117)}…` : text;
  const shell = `'${one.replaceAll("'", "'\\''")}'`;
  return [
    {
      title: 'Node',
      code: `import { pipeline } from 'spanwright/label';\n\nconst label = await pipeline(${JSON.stringify(source)});\nfor (const { type, text, start, end, confidence } of label(${JSON.stringify(one)}).chunks) {\n  console.log(type, text, start, end, confidence);\n}`,
    },
    {
      title: 'Browser',
      code: `import { loadModel, Pipeline } from 'spanwright/label';\n\n// the model that fills in parts of speech first, where one is read\nconst bytes = await (await fetch(${JSON.stringify(`${model}.safetensors`)})).arrayBuffer();\nconst pipeline = new Pipeline([loadModel(new Uint8Array(bytes))]);\nconsole.log(pipeline.label(${JSON.stringify(one)}).chunks);`,
    },
    {
      title: 'Command line',
      code: `printf %s ${shell} | spanwright label --text --model ${source} --format json --confidence`,
    },
    ...(api === undefined
      ? []
      : [
          {
            title: 'HTTP',
            code: `curl ${location.origin}${api}/label --json ${`'${JSON.stringify({ model, text: one }).replaceAll("'", "'\\''")}'`}`,
          },
        ]),
  ];
}

/** The same as code and as a command, to be copied. */
export function SameAs({ ways }: { readonly ways: readonly Way[] }) {
  const chosen = useSignal(0);
  const copied = useSignal(false);
  const { code } = ways[Math.min(chosen.value, ways.length - 1)];
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    copied.value = true;
  };
  const pick = (index: number) => {
    chosen.value = index;
    copied.value = false;
  };
  return (
    <details class="panel ways">
      <summary>The same as code and as a command</summary>
      <fieldset class="choices">
        <legend class="hidden">Where</legend>
        {ways.map(({ title }, index) => (
          <button key={title} type="button" aria-pressed={index === chosen.value} onClick={() => pick(index)}>
            {title}
          </button>
        ))}
        <button type="button" class="copy" onClick={copy}>
          {copied.value ? 'Copied' : 'Copy'}
        </button>
      </fieldset>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </details>
  );
}
