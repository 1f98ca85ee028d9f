/** Messages between the page and its workers. */

/** Where a model comes from: its file and those of models that work before it. */
export interface ModelPlace {
  /** Name by which it is asked for. */
  readonly name: string;
  /** Addresses of its files, or their bytes, in the order in which the models work. */
  readonly files: readonly (string | Uint8Array)[];
}

/** A span over the characters of a text, or of a document. */
export interface FoundSpan {
  /** First UTF-16 unit. */
  readonly start: number;
  /** UTF-16 unit after the last one. */
  readonly end: number;
  /** Type of a chunk, or label of a token. */
  readonly type: string;
  /** How sure the model is, 0 to 1. */
  readonly confidence?: number | undefined;
}

/** A labelled sentence. */
export interface FoundSentence {
  /** First UTF-16 unit in the text. */
  readonly start: number;
  /** UTF-16 unit after its last one. */
  readonly end: number;
  /** [T × 2] start and end of each token in the text. */
  readonly tokens: Uint32Array;
  /** Spans in text order. */
  readonly spans: readonly FoundSpan[];
}

/** A labelled text. */
export interface FoundText {
  /** Its sentences. */
  readonly sentences: readonly FoundSentence[];
  /** Number of tokens. */
  readonly tokens: number;
  /** Time that it took. */
  readonly milliseconds: number;
}

/** A model as views show it. */
export interface ModelFacts {
  /** Name. */
  readonly name: string;
  /** Task. */
  readonly task: string;
  /** Unit of tokens. */
  readonly tokens: 'words' | 'characters';
  /** Types of spans, or labels of tokens. */
  readonly types: readonly string[];
  /** Whether every token has a label of its own. */
  readonly ofTokens: boolean;
  /** Number of features. */
  readonly features: number;
  /** Sentences that it was trained on. */
  readonly sentences: number;
}

/** Weights of a feature. */
export interface FeatureFacts {
  /** The feature in words. */
  readonly feature: string;
  /** Weight for the label chosen. */
  readonly chosen: number;
  /** Weight for its rival. */
  readonly rival?: number;
}

/** Why a token has its label. */
export interface TokenFacts {
  /** The token. */
  readonly text: string;
  /** Its label. */
  readonly label: string;
  /** Best other label. */
  readonly rival?: string;
  /** By how much log scores differ. */
  readonly lead?: number;
  /** What decided, most first. */
  readonly features: readonly FeatureFacts[];
}

/** What is known of a sentence beyond its labels. */
export interface SentenceFacts {
  /** The best labellings, the best first. */
  readonly alternatives: readonly { readonly probability: number; readonly spans: readonly FoundSpan[] }[];
  /** [T] why each token has its label. */
  readonly tokens: readonly TokenFacts[];
}

/** What the worker that labels can be asked. */
export type LabelMethods = {
  /** Loads a model. */
  open(place: ModelPlace): Promise<ModelFacts>;
  /** Labels a text. */
  label(given: { readonly model: string; readonly text: string }): Promise<FoundText>;
  /** Says more of a sentence of a text. */
  details(given: {
    readonly model: string;
    readonly text: string;
    readonly sentence: number;
  }): Promise<SentenceFacts>;
};

/** A question. */
export interface Question {
  /** Number, which the answer has too. */
  readonly id: number;
  /** Name of what is asked. */
  readonly method: string;
  /** What is given. */
  readonly given: unknown;
}

/** An answer, or word of how far it is. */
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: string }
  | { readonly id: number; readonly progress: unknown };
