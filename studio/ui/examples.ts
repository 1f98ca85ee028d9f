/** A text to begin with, and the model that it is for. */
export interface Example {
  /** Title. */
  readonly title: string;
  /** Model. */
  readonly model: string;
  /** The text. */
  readonly text: string;
}

/** Texts to begin with. */
export const EXAMPLES: readonly Example[] = [
  {
    title: 'English phrases',
    model: 'english-chunk',
    text: 'Dr. Ada Lovelace didn’t wait: in 1843 she sent her notes on the Analytical Engine to London. The shares rose 2.5% to $38.50 yesterday, although analysts had expected a loss.',
  },
  {
    title: 'Parts of speech',
    model: 'english-pos',
    text: 'The quick brown fox jumped over the lazy dog. It didn’t look back 🦊.',
  },
  {
    title: 'Names',
    model: 'english-entities',
    text: 'Angela Merkel met Barack Obama in Berlin. Microsoft Corporation moves its office from Seattle to London.',
  },
  {
    title: 'Chinese words',
    model: 'chinese-gsd',
    text: '他在臺灣的大學學習語言。這本書是去年在上海出版的，賣了三萬本。',
  },
];
