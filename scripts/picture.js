// Draws README's picture, docs/picture.svg: what the bundled models find in a sentence of English and one of Chinese. Text
// stands on its own so that the picture is made of what the program prints, in light and in dark.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ENGLISH = 'Dr. Ada Lovelace didn’t wait: in 1843 she sent her notes to London.';
const CHINESE = '這部電影在二十世紀初期拍攝。';

const WIDTH = 760;
const LEFT = 24;
/** Width of a Latin letter in px; Chinese characters are as wide as the font is high. */
const LETTER = 10;
const FONT = 17;
const CHINESE_FONT = 22;

const STYLE = `
svg{color:#24292f;--line:#57606a;--NP:#0060a8;--VP:#b34700;--PP:#00704f;--word:#0060a8}
text{fill:currentColor;font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.chinese{font:${CHINESE_FONT}px 'PingFang TC','Microsoft JhengHei','Noto Sans CJK TC',sans-serif}
.note{fill:var(--line);font:13px system-ui,'Segoe UI',Helvetica,Arial,sans-serif}
.type{font:600 12px system-ui,'Segoe UI',Helvetica,Arial,sans-serif;text-anchor:middle}
.outside{fill:var(--line)}
path{fill:none;stroke-width:2;stroke-linejoin:round}
.NP{fill:var(--NP)}path.NP{fill:none;stroke:var(--NP)}
.VP{fill:var(--VP)}path.VP{fill:none;stroke:var(--VP)}
.PP{fill:var(--PP)}path.PP{fill:none;stroke:var(--PP)}
path.word{stroke:var(--word)}
@media (prefers-color-scheme:dark){svg{color:#e6edf3;--line:#9198a1;--NP:#6cb6ff;--VP:#ffa657;--PP:#56d4a4;--word:#6cb6ff}}
`;

/** The picture as an SVG document. */
export function picture() {
  const body = [
    note(28, 'Phrases in English text, with the bundled models english-pos and english-chunk'),
    sentence(ENGLISH, 66, { model: 'english-chunk', letter: LETTER, types: true }),
    note(140, 'Words in Chinese text, with the bundled model chinese-gsd'),
    sentence(CHINESE, 178, { model: 'chinese-gsd', letter: CHINESE_FONT, gap: 10 }),
  ];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 204" width="${WIDTH}" height="204" role="img">` +
    `<title>Phrases found in an English sentence, words found in a Chinese one</title><style>${STYLE}</style>\n` +
    `${body.join('\n')}\n</svg>\n`
  );
}

function note(y, text) {
  return `<text class="note" x="${LEFT}" y="${y}">${escapeXml(text)}</text>`;
}

/** A sentence with a bracket below every chunk; `gap` is added after each of them. */
function sentence(text, y, { model, letter, types = false, gap = 0 }) {
  const { chunks } = JSON.parse(
    execFileSync(
      process.execPath,
      [
        path('dist/cli/main.js'),
        'label',
        '--text',
        '--model',
        path(`models/${model}.safetensors`),
        '--format',
        'json',
      ],
      { input: text, encoding: 'utf8' },
    ),
  );
  const parts = [];
  let x = LEFT;
  let at = 0;
  const write = (end, kind) => {
    const piece = text.slice(at, end);
    const width = piece.length * letter;
    if (piece.trim() !== '') {
      const label = `class="${types ? '' : 'chinese '}${kind}" x="${x}" y="${y}" textLength="${width}"`;
      parts.push(`<text ${label} xml:space="preserve">${escapeXml(piece)}</text>`);
    }
    x += width;
    at = end;
    return width;
  };
  for (const { type, start, end } of chunks) {
    write(start, 'outside');
    const from = x;
    const width = write(end, 'inside');
    const kind = types ? type : 'word';
    parts.push(`<path class="${kind}" d="M${from + 1} ${y + 7}v5h${width - 2}v-5"/>`);
    if (types) parts.push(`<text class="type ${kind}" x="${from + width / 2}" y="${y + 28}">${type}</text>`);
    x += gap;
  }
  write(text.length, 'outside');
  return parts.join('\n');
}

function path(name) {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}

function escapeXml(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(path('docs/picture.svg'), picture());
