/** Messages between the page and its workers. */
import type { OptionDeclaration } from '../../src/base/options.js';
import type { ExportName } from '../../src/project/export-documents.js';
import type { GivenFile, ImportedDocuments, ImportOptions } from '../../src/project/import-documents.js';
import type { StoredDocument } from '../../src/project/project.js';

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

/** A span over a sentence's tokens with how sure the model is of it. */
export interface SuggestedSpan {
  /** First token. */
  readonly start: number;
  /** Token after the last one. */
  readonly end: number;
  /** Type. */
  readonly type: string;
  /** How sure the model is, 0 to 1. */
  readonly confidence: number;
}

/** A span over tokens. */
export interface TokenSpan {
  /** First token. */
  readonly start: number;
  /** Token after the last one. */
  readonly end: number;
  /** Type. */
  readonly type: string;
}

/** A sentence in words with its spans. */
export interface LearnedSentence {
  /** [T] the words. */
  readonly words: readonly string[];
  /** All its spans, in order. */
  readonly spans: readonly TokenSpan[];
}

/** What the worker that suggests can be asked. */
export type SuggestMethods = {
  /** Takes a model. */
  take(given: { readonly bytes: Uint8Array }): Promise<void>;
  /** Labels a sentence under constraints; nothing where there is no model yet. */
  suggest(given: {
    readonly words: readonly string[];
    readonly required: readonly TokenSpan[];
    readonly forbidden: readonly TokenSpan[];
  }): Promise<SuggestedSpan[]>;
  /** Learns a sentence; whether the model changed. */
  learn(given: LearnedSentence): Promise<boolean>;
};

/** What came of training a project's model. */
export interface ProjectModel {
  /** The model's file. */
  readonly bytes: Uint8Array;
  /** Sentences that it was trained on. */
  readonly sentences: number;
  /** Time that training took. */
  readonly milliseconds: number;
  /** [pool] log probability of each sentence of the pool, divided by its length. */
  readonly scores: Float32Array;
  /** κ between the labels of this model and the one before on sentences without labels; none for the first. */
  readonly agreement?: number | undefined;
}

/** What is done with files away from the page. */
export type FileMethods = {
  /** Reads files of texts into documents. */
  importFiles(given: {
    readonly files: readonly GivenFile[];
    readonly options: ImportOptions;
  }): Promise<ImportedDocuments>;
  /** Writes documents with their spans. */
  exportFiles(given: {
    readonly format: ExportName;
    readonly documents: readonly ExportGiven[];
  }): Promise<Uint8Array>;
};

/** What trains a project's model. */
export type TrainMethods = {
  /** Takes the sentences of a project that may be asked for. */
  setPool(given: { readonly sentences: readonly (readonly string[])[] }): Promise<void>;
  /** Trains a project's model on annotated sentences, from scratch. */
  trainProject(given: {
    readonly sentences: readonly LearnedSentence[];
    readonly tokens: 'words' | 'characters';
  }): Promise<ProjectModel>;
};

/** A document to export. */
export interface ExportGiven {
  /** The document. */
  readonly stored: StoredDocument;
  /** Spans. */
  readonly spans: readonly FoundSpan[];
  /** Spans of other layers. */
  readonly others?: Readonly<Record<string, readonly FoundSpan[]>> | undefined;
}

/** What is known of a labelled file. */
export interface FileFacts {
  /** What was detected. */
  readonly detected: readonly string[];
  /** What could not be read. */
  readonly problems: readonly string[];
  /** Sentences. */
  readonly sentences: number;
  /** Tokens. */
  readonly tokens: number;
  /** Names of further columns. */
  readonly columns: readonly string[];
  /** Whether tokens are characters. */
  readonly isOfCharacters: boolean;
  /** Labels that occur. */
  readonly labels: readonly string[];
  /** Its first sentences, as one text with spans. */
  readonly preview: PreviewText;
}

/** A text with spans. */
export interface PreviewText {
  /** The text. */
  readonly text: string;
  /** Spans. */
  readonly spans: readonly FoundSpan[];
}

/** How far training is. */
export interface TrainProgress {
  /** What is done. */
  readonly what: string;
  /** Share that is done, 0 to 1. */
  readonly share: number;
  /** A point of the objective, where there is one. */
  readonly objective?: number | undefined;
}

/** What came of a training. */
export interface Trained {
  /** The model's file. */
  readonly bytes: Uint8Array;
  /** Its card, in Markdown. */
  readonly card: string;
  /** Scores on held-out data as conlleval prints them. */
  readonly table: string | undefined;
  /** F on held-out data, or the share of right labels, in percent. */
  readonly f1: number | undefined;
  /** Time that it took. */
  readonly milliseconds: number;
  /** Number of features. */
  readonly features: number;
}

/** A sentence on which labellings differ. */
export interface DifferingSentence {
  /** Its number in the data. */
  readonly sentence: number;
  /** Gold spans and those of each system, over the same text. */
  readonly readings: readonly PreviewText[];
}

/** What goes wrong. */
export interface ErrorFacts {
  /** Scores as conlleval prints them. */
  readonly table: string;
  /** Types, and null for outside of all. */
  readonly types: readonly (string | null)[];
  /** Tokens of one type that were given another. */
  readonly confusions: readonly {
    readonly gold: string | null;
    readonly predicted: string | null;
    readonly tokens: number;
  }[];
  /** Sentences with errors, worst first. */
  readonly sentences: readonly DifferingSentence[];
}

/** Two systems side by side. */
export interface ComparedFacts {
  /** Their scores. */
  readonly tables: readonly [string, string];
  /** F of each. */
  readonly f1: readonly [number, number];
  /** Probability of such a difference by chance. */
  readonly p: number;
  /** Gold chunks that only one found. */
  readonly onlyFirst: number;
  /** Gold chunks that only the second found. */
  readonly onlySecond: number;
  /** Sentences in which they differ. */
  readonly sentences: readonly DifferingSentence[];
}

/** What training can be told. */
export interface TrainingChoices {
  /** Tasks by name, each with its presets by name. */
  readonly tasks: Readonly<
    Record<string, { readonly help: string; readonly presets: Readonly<Record<string, string>> }>
  >;
  /** Options, as the command line declares them. */
  readonly options: readonly OptionDeclaration[];
}

/** What is done with labelled files, which stay in the worker. */
export type DataMethods = {
  /** What training can be told. */
  choices(given: null): Promise<TrainingChoices>;
  /** Reads a labelled file and keeps it under a name. */
  readData(given: { readonly name: string; readonly files: readonly GivenFile[] }): Promise<FileFacts>;
  /** Trains a model on a file. */
  trainFile(given: {
    readonly train: string;
    /** Another file, or `tenth`: one sentence in ten is held out. */
    readonly dev?: string | undefined;
    readonly task: string;
    readonly preset: string;
    readonly options: Readonly<Record<string, string | number | boolean>>;
  }): Promise<Trained>;
  /** What a model gets wrong. */
  errorsOf(given: { readonly gold: string; readonly models: readonly Uint8Array[] }): Promise<ErrorFacts>;
  /** Two models on one file. */
  compare(given: {
    readonly gold: string;
    readonly models: readonly [readonly Uint8Array[], readonly Uint8Array[]];
  }): Promise<ComparedFacts>;
};
