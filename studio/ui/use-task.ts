import { useSignal } from '@preact/signals';

/**
 * What a person waits for.
 *
 * @param work what it throws is kept to be shown.
 * @returns `run`, which starts the work, whether it is under way, and what went wrong the last time, empty for nothing.
 */
export function useTask<Given extends unknown[]>(work: (...given: Given) => Promise<void>) {
  const isBusy = useSignal(false);
  const trouble = useSignal('');
  const run = async (...given: Given) => {
    isBusy.value = true;
    trouble.value = '';
    try {
      await work(...given);
    } catch (error) {
      trouble.value = (error as Error).message;
    } finally {
      isBusy.value = false;
    }
  };
  return { run, isBusy, trouble };
}
