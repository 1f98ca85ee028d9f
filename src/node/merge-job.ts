import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { InputError } from '../base/errors.js';
import type { DonePart, JobPlan } from '../jobs/job-plan.js';
import type { BadSentences } from '../jobs/label-region.js';
import { readProblem, readRange } from './files.js';
import type { JobFolder } from './job-folder.js';
import { missingParts, whyMissing } from './job-status.js';

/** Where a job's output goes. */
export interface MergedOutput {
  /** Another input file begins. */
  next(): Promise<void>;
  /** Writes bytes; they may be reused once this resolves. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Bytes of output up to which a part is read at once. */
const SMALL = 1 << 20;

/** Parts that a message about missing ones names. */
const NAMED = 5;

/**
 * Writes the outputs of all parts in their order: the bytes that labelling the inputs at once gives. Each is checked against
 * its record.
 *
 * @returns sentences or documents that could not be read, and the message about the first.
 * @throws InputError where a part is not done, or its output is not what its record says.
 */
export async function mergeJob(
  folder: JobFolder,
  plan: JobPlan,
  output: MergedOutput,
): Promise<BadSentences> {
  const missing = missingParts(folder, plan);
  if (missing.length > 0) {
    const named = missing.slice(0, NAMED).map((part) => whyMissing(folder, plan, part));
    const others = missing.length > NAMED ? `; and ${missing.length - NAMED} more` : '';
    throw new InputError(
      { source: folder.path },
      `expected all ${plan.parts.length} parts to be done, found ${missing.length} that ${missing.length === 1 ? 'is' : 'are'} not: ${named.join('; ')}${others}`,
    );
  }
  let badSentences = 0;
  let firstProblem: string | undefined;
  const small: Uint8Array[] = [];
  let smallBytes = 0;
  const flush = async () => {
    if (smallBytes > 0) await output.write(Buffer.concat(small));
    small.length = 0;
    smallBytes = 0;
  };
  let next = 0;
  for (const file of plan.files.keys()) {
    await flush();
    await output.next();
    for (; next < plan.parts.length && plan.parts[next].file === file; next++) {
      const { key } = plan.parts[next];
      const record = folder.done(key) as DonePart;
      badSentences += record.badSentences;
      firstProblem ??= record.firstProblem ?? undefined;
      const path = folder.pathOf('parts', key);
      if (record.bytes > SMALL) {
        await flush();
        await copyLarge(path, record, output);
      } else {
        const bytes = readSmall(path, record);
        small.push(bytes);
        smallBytes += bytes.length;
        if (smallBytes > SMALL) await flush();
      }
    }
  }
  await flush();
  return { badSentences, firstProblem };
}

function readSmall(path: string, record: DonePart): Uint8Array {
  try {
    const bytes = readFileSync(path);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (bytes.length !== record.bytes || hash !== record.sha256) throw damaged(path, record);
    return bytes;
  } catch (error) {
    throw readProblem(path, error);
  }
}

async function copyLarge(path: string, record: DonePart, output: MergedOutput): Promise<void> {
  try {
    if (statSync(path).size !== record.bytes) throw damaged(path, record);
  } catch (error) {
    throw readProblem(path, error);
  }
  const hash = createHash('sha256');
  for await (const chunk of readRange(path, { byte: 0, bytes: record.bytes })) {
    hash.update(chunk);
    await output.write(chunk);
  }
  if (hash.digest('hex') !== record.sha256) throw damaged(path, record);
}

function damaged(path: string, { bytes, sha256 }: DonePart): InputError {
  return new InputError(
    { source: path },
    `expected the ${bytes} bytes of SHA-256 ${sha256.slice(0, 16)}… that its record names, found others; job retry ` +
      '--damaged labels such parts again',
  );
}
