/**
 * The kinds of scores that label sequences are searched with, each in words. A strategy or a learner of all labels gives
 * one kind; a decoder names those it can search. Which parts go together follows from that alone.
 */
export const SCORE_KINDS = {
  margins: 'a score for each label of a token, given up to two labels before it',
  decisions: 'one choice a token, whose scores do not add up along a path',
  'first-order': 'scores that add up along a path and read at most the label before',
  chunks: 'scores of whole chunks',
} as const;

/** One of {@link SCORE_KINDS}. */
export type ScoreKind = keyof typeof SCORE_KINDS;
