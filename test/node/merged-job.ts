import type { JobPlan } from '../../src/jobs/job-plan.js';
import type { JobFolder } from '../../src/node/job-folder.js';
import { mergeJob } from '../../src/node/merge-job.js';

/** The output of a job whose parts are done, as text. */
export async function mergedJob(folder: JobFolder, plan: JobPlan): Promise<string> {
  let text = '';
  await mergeJob(folder, plan, {
    next: async () => undefined,
    write: async (bytes) => {
      text += Buffer.from(bytes).toString();
    },
  });
  return text;
}
