import { beforeAll, describe, expect, it } from 'vitest';
import { bracketLine } from '../../src/data/formats/brackets.js';
import { pipeline, type TextLabeller } from '../../src/label/open-pipeline.js';

// What people type first. A change of the models that gets one of these wrong is to be looked at, though one may be worth it.
const SENTENCES = `
[NP The dog] [VP barks] .
[NP The dog] [VP slept] [PP in] [NP London] .
[NP The cat] [VP sleeps] [PP on] [NP the sofa] .
[NP A bird] [VP sings] .
[NP Birds] [VP sing] .
[NP Time] [VP flies] .
[NP My sister] [VP cries] .
[NP The baby] [VP laughs] [ADVP loudly] .
[NP The children] [VP play] [ADVP outside] .
[NP The train] [VP arrives] [ADJP late] .
[NP The moon] [VP rises] .
[NP The wizard] [VP vanishes] .
[NP The robot] [VP dances] .
[NP I] [VP like] [NP it] .
[NP I] [VP am] [ADJP hungry] .
[NP We] [VP love] [NP pizza] .
[NP She] [VP runs] [ADVP fast] .
[NP He] [VP writes] [NP letters] .
[NP Mary] [VP loves] [NP John] .
[NP Anna] [VP bought] [NP a new bike] .
[NP They] [VP live] [PP in] [NP Berlin] .
[NP My phone] [VP broke] [NP yesterday] .
[NP It] [VP works] !
[NP It] [VP does n't work] .
[NP I] [VP do n't know] .
[VP Call] [NP me] [NP tomorrow] .
[VP Buy] [NP milk , eggs and bread] .
[VP Close] [NP the door] .
[INTJ Please] [VP close] [NP the window] .
[VP Stir] [NP the soup] and [VP add] [NP salt] .
[VP Do n't touch] [NP it] !
[VP Send] [NP the report] [PP to] [NP Peter] .
[NP What] do [NP you] [VP want] ?
Do [NP you] [VP see] [NP the fox] ?
Can [NP you] [VP help] [NP me] ?
[ADVP Where] is [NP the station] ?
[ADVP Why] did [NP she] [VP leave] ?
[NP Who] [VP wrote] [NP this book] ?
[ADVP How] are [NP you] ?
Is [NP it] [VP raining] ?
[NP Thanks] [PP for] [NP your help] !
[INTJ Hello] , [NP Tom] !
[INTJ Good morning] .
[INTJ Happy birthday] !
[NP the dog] [VP barks] .
[NP the dog] [VP slept] [PP in] [NP london] .
[NP i] [VP want] [NP a new phone] .
[NP Meeting] [VP moved] [PP to] [NP 5 p.m.] [PP on] [NP Friday] .
[NP Colorless green ideas] [VP sleep] [ADVP furiously] .
[VP To be] or not [VP to be] , [NP that] [VP is] [NP the question] .
[NP She] [VP did n't see] [NP the 🦊] .
[NP Apple] [VP opens] [NP a new store] [PP in] [NP Paris] .
[NP The president] [PP of] [NP the company] [VP resigned] .
`;

describe('the bundled English models', () => {
  let label: TextLabeller;
  beforeAll(async () => {
    label = await pipeline('english-chunk');
  });

  it.each(SENTENCES.trim().split('\n'))('%s', (expected) => {
    const text = expected.replace(/\[[A-Z]+ |\]/g, '').replace(/ (?=[.,?!]|n't|'[a-z])/g, '');
    const { tokens, chunks } = label(text);
    const spans = chunks.map(({ firstToken, lastToken, type }) => ({
      start: firstToken,
      end: lastToken + 1,
      type,
    }));
    expect(
      bracketLine(
        tokens.map((token) => token.text),
        spans,
      ),
    ).toBe(expected);
  });
});
