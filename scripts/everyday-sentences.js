// Short everyday sentences with their parts of speech and chunks, written for this project: what people type first into a program, and what no
// newspaper has. Statements of two to five words, orders, questions, greetings. Made of patterns and lists of words, so that the models meet common
// verbs in the present tense; nobody else's text is in them.
import { randomFrom } from './english-data.js';

const list = (text) => text.trim().split(/\s+/);

const LISTS = {
  /** People, animals and things that do something, and more than one of them. */
  N: list(`dog cat baby bird boy girl teacher doctor child horse train bus car phone bell door river wind sun moon star light
    king queen neighbour friend driver nurse farmer cook singer player boss clerk robot engine clock fire rain snow grass tree flower fish fox
    mouse cow duck lion bear bee student pupil woman man guy kid uncle aunt sister brother mother father plane ship alarm kettle screen printer server`),
  Ns: list(`dogs cats babies birds boys girls teachers doctors children horses trains buses cars phones bells doors rivers stars lights
    neighbours friends drivers nurses farmers cooks players robots engines clocks trees flowers foxes mice cows ducks lions bears bees students
    people women men guys kids planes ships wolves prices`),
  /** Verbs without an object. */
  Vs: list(`barks sleeps runs cries flies rings sings laughs waits works plays swims jumps falls shines rises walks talks smiles dances grows
    moves stops starts breaks bites eats drinks dreams coughs sneezes snores howls purrs roars arrives leaves stays lives dies hides helps hurts
    burns melts freezes opens closes turns shakes yawns whistles crashes beeps fails passes`),
  V: list(`bark sleep run cry fly ring sing laugh wait work play swim jump fall shine rise walk talk smile dance grow move stop start
    break bite eat drink dream cough sneeze snore howl purr roar arrive leave stay live die hide help hurt burn melt freeze open close turn shake
    yawn whistle crash beep fail pass`),
  Vd: list(`barked slept ran cried flew rang sang laughed waited worked played swam jumped fell shone rose walked talked smiled danced
    grew moved stopped started broke arrived left stayed lived died hid burned melted opened closed turned crashed failed`),
  /** Verbs with an object. */
  Ts: list(`sees likes loves hates wants needs knows finds buys sells brings takes makes eats drinks reads writes carries follows chases watches
    helps calls cleans paints builds breaks opens closes feeds kisses misses remembers forgets`),
  T: list(`see like love hate want need know find buy sell bring take make eat drink read write carry follow chase watch help call clean
    paint build break open close feed kiss miss remember forget check wash cut mix stir add put keep hold send open print save delete`),
  Td: list(`saw liked loved hated wanted needed knew found bought sold brought took made ate drank read wrote carried followed chased watched
    helped called cleaned painted built broke opened closed fed kissed missed remembered forgot`),
  O: list(
    `milk bread water soup salt sugar tea coffee rice cheese music money time help food paper homework`,
  ),
  J: list(
    `hungry tired happy sad cold hot ready late busy sick angry old young new big small good bad nice funny great fine wrong right`,
  ),
  P: list(`in on under near behind at with by`),
  Adv: list(`here there now today fast slowly again outside tomorrow well early loudly`),
  Name: list(`John Mary Anna Tom Peter Sarah Emma Ali Maria David London Paris Max Lisa Kim Omar Nina`),
  S: list(`I you we they`),
  H: list(`he she it`),
  W: list(`why when where how`),
};

/**
 * Patterns: [TYPE …] is a chunk; in it and outside a word stands as WORD/TAG, and LIST/TAG takes one of a list. A sentence begins with a capital.
 */
const PATTERNS = `
[NP The/DT N/NN] [VP Vs/VBZ] ./.
[NP The/DT N/NN] [VP Vs/VBZ] ./.
[NP The/DT N/NN] [VP Vs/VBZ] ./.
[NP A/DT N/NN] [VP Vs/VBZ] ./.
[NP My/PRP$ N/NN] [VP Vs/VBZ] [ADVP Adv/RB] ./.
[NP The/DT N/NN] [VP Vs/VBZ] [PP P/IN] [NP the/DT N/NN] ./.
[NP The/DT J/JJ N/NN] [VP Vs/VBZ] ./.
[NP Ns/NNS] [VP V/VBP] ./.
[NP Ns/NNS] [VP V/VBP] [ADVP Adv/RB] ./.
[NP The/DT Ns/NNS] [VP V/VBP] [PP P/IN] [NP the/DT N/NN] ./.
[NP The/DT N/NN] [VP Vd/VBD] ./.
[NP The/DT N/NN] [VP Vd/VBD] [PP in/IN] [NP Name/NNP] ./.
[NP Name/NNP] [VP Vs/VBZ] ./.
[NP Name/NNP] [VP Ts/VBZ] [NP Name/NNP] ./.
[NP Name/NNP] [VP Ts/VBZ] [NP the/DT N/NN] ./.
[NP The/DT N/NN] [VP Ts/VBZ] [NP the/DT N/NN] ./.
[NP The/DT N/NN] [VP Td/VBD] [NP a/DT N/NN] ./.
[NP O/NN] [VP Vs/VBZ] ./.
[NP H/PRP] [VP Vs/VBZ] [ADVP Adv/RB] ./.
[NP H/PRP] [VP Ts/VBZ] [NP Ns/NNS] ./.
[NP S/PRP] [VP T/VBP] [NP O/NN] ./.
[NP S/PRP] [VP T/VBP] [NP it/PRP] ./.
[NP I/PRP] [VP am/VBP] [ADJP J/JJ] ./.
[NP I/PRP] [VP 'm/VBP] [ADJP so/RB J/JJ] ./.
[NP H/PRP] [VP is/VBZ] [ADJP very/RB J/JJ] ./.
[NP The/DT N/NN] [VP is/VBZ] [ADJP J/JJ] ./.
[NP S/PRP] [VP do/VBP n't/RB T/VB] [NP the/DT N/NN] ./.
[NP H/PRP] [VP does/VBZ n't/RB V/VB] ./.
[NP The/DT N/NN] [VP is/VBZ n't/RB] [ADJP J/JJ] ./.
[VP T/VB] [NP the/DT N/NN] ./.
[VP T/VB] [NP the/DT N/NN] ./.
[VP T/VB] [NP O/NN] ./.
[VP T/VB] [NP O/NN ,/, O/NN and/CC O/NN] ./.
[VP T/VB] [NP the/DT O/NN] and/CC [VP T/VB] [NP the/DT O/NN] ./.
[VP T/VB] [NP me/PRP] [NP tomorrow/NN] ./.
[VP T/VB] [NP your/PRP$ Ns/NNS] [PP P/IN] [NP the/DT N/NN] ./.
[VP T/VB] [NP it/PRP] !/.
[INTJ Please/UH] [VP T/VB] [NP the/DT N/NN] ./.
[VP Do/VB n't/RB T/VB] [NP the/DT N/NN] !/.
Do/VBP [NP S/PRP] [VP T/VB] [NP the/DT N/NN] ?/.
Does/VBZ [NP the/DT N/NN] [VP V/VB] ?/.
Can/MD [NP S/PRP] [VP T/VB] [NP the/DT N/NN] ?/.
[ADVP W/WRB] do/VBP [NP S/PRP] [VP T/VB] [NP it/PRP] ?/.
[ADVP W/WRB] does/VBZ [NP the/DT N/NN] [VP V/VB] ?/.
[NP What/WP] do/VBP [NP S/PRP] [VP T/VB] ?/.
[NP Who/WP] [VP Ts/VBZ] [NP the/DT N/NN] ?/.
Is/VBZ [NP the/DT N/NN] [ADJP J/JJ] ?/.
[INTJ Hello/UH] ,/, [NP Name/NNP] !/.
[NP Thanks/NNS] [PP for/IN] [NP the/DT O/NN] !/.
`;

/** So many sentences of each pattern. */
const EACH = 12;

/** The sentences, the same every time. */
export function everydaySentences() {
  const random = randomFrom(1);
  const pick = (words) => words[Math.floor(random() * words.length)];
  return PATTERNS.trim()
    .split('\n')
    .flatMap((pattern) => Array.from({ length: EACH }, () => filled(pattern, pick)));
}

function filled(pattern, pick) {
  const sentence = { words: [], pos: [], tags: [] };
  let type;
  for (const part of pattern.split(' ')) {
    if (part.startsWith('[')) {
      type = `B-${part.slice(1)}`;
      continue;
    }
    const closes = part.endsWith(']');
    const [name, tag] = part.replace(/\]$/, '').split('/');
    const word = Object.hasOwn(LISTS, name) ? pick(LISTS[name]) : name;
    const isFirst = sentence.words.length === 0;
    sentence.words.push(isFirst ? word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : word);
    sentence.pos.push(tag);
    sentence.tags.push(type ?? 'O');
    type = closes ? undefined : type?.replace('B-', 'I-');
  }
  return sentence;
}
