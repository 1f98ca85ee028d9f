/** Name of a tokenizer. */
export type TokenizerName = 'english' | 'letters' | 'characters' | 'blanks' | 'unicode';

/** Tokenizers, with what each does: known without their code. */
export const TOKENIZER_HELP: Readonly<Record<TokenizerName, string>> = {
  english: 'words and sentences of English, as treebanks have them',
  letters: 'runs of letters, runs of digits, and each sign by itself; sentences of English',
  characters: 'every character is a token; sentences end at line ends and behind 。！？',
  blanks: 'what blanks separate, a sentence a line',
  unicode: 'words as Unicode finds them in any language, sentences too (Intl.Segmenter of the platform)',
};
