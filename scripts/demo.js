// What `npm run demo` does after the build: labels raw text with the bundled models, for reading and as data.
// Text comes from the arguments, or from standard input where something is piped in; else from the examples below.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const EXAMPLES = `Dr. Ada Lovelace didn't wait: in 1843 she sent her notes on the Analytical Engine to London. "How much is it?" \
asked the buyer from St. Louis. The shares rose 2.5% to $38.50 yesterday, although analysts had expected a loss.`;

const SILENCE = 2000;

const given = process.argv.slice(2).join(' ');
const text = given.trim() || (await pipedText()).trim() || EXAMPLES;
const label = ['dist/cli/main.js', 'label', '--text'];

run([...label, '--format', 'pretty'], text);
console.log('\nNames in it (--model english-entities):\n');
run([...label, '--model', 'english-entities', '--format', 'pretty'], text);
if (text === EXAMPLES) {
  console.log(
    '\nThe same as data, one object a sentence (spanwright label --format json), here the chunks of the first:\n',
  );
  const [first] = capture([...label, '--format', 'json'], text).split('\n');
  for (const { type, text, start, end } of JSON.parse(first).chunks) {
    console.log(`  ${JSON.stringify({ type, text, start, end })}`);
  }
}
console.log(`
What to try next:
  npm run demo -- "Your own sentence."
  node dist/cli/main.js label --text FILE.txt --format json
  node dist/cli/main.js label --text --model english-pos FILE.txt
  node dist/cli/main.js train --task chunking --train YOUR.txt --model your.safetensors     (README, "Train your own")`);

/** Runs a program with the text as its standard input and our output as its own. */
function run(args, input) {
  const { status } = spawn(args, { input, stdio: ['pipe', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

function capture(args, input) {
  return spawn(args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] }).stdout;
}

function spawn(args, options) {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  return spawnSync(process.execPath, args, { cwd, maxBuffer: 1 << 30, ...options });
}

/** What is piped in. Nothing for a terminal, nor for a pipe that somebody holds open and says nothing in. */
async function pipedText() {
  if (process.stdin.isTTY) return '';
  const silence = new Promise((resolve) => setTimeout(resolve, SILENCE, 'silent').unref());
  if ((await Promise.race([once(process.stdin, 'readable'), silence])) === 'silent') {
    process.stdin.destroy();
    return '';
  }
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
