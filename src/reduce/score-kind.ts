/**
 * A kind of scores that label sequences are searched with. A strategy or a learner of all labels gives one kind; a decoder
 * names those it can search. Which parts go together follows from that alone.
 */
export type ScoreKind = 'margins' | 'decisions' | 'first-order' | 'chunks';

/** All kinds of scores, each in words. */
export const SCORE_KINDS: Readonly<Record<ScoreKind, string>> = {
  margins: 'a score for each label of a token, given up to two labels before it',
  decisions: 'one choice a token, whose scores do not add up along a path',
  'first-order': 'scores that add up along a path and read at most the label before',
  chunks: 'scores of whole chunks',
};
