import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { RowHeights } from './row-heights.js';

/** Pixels above and below what is seen in which rows are drawn. */
const MARGIN = 400;

/** Rows of which only those that can be seen are drawn. */
export interface RowsProps {
  /** Number of rows. */
  readonly count: number;
  /** Changes when rows are others. */
  readonly name: string;
  /** The row to be seen. */
  readonly current: number;
  /** Height of a row that was never drawn, in pixels. */
  readonly guess: (row: number) => number;
  /** Draws a row. */
  readonly draw: (row: number) => ComponentChildren;
  /** Handles keys. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Draws the rows that can be seen. */
export function Rows({ count, name, current, guess, draw, onKeyDown }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useSignal({ top: 0, height: 600 });
  const heights = useMemo(() => new RowHeights(count, guess), [name, count]);
  const measure = useSignal(0);
  const first = Math.max(0, heights.rowAt(view.value.top - MARGIN));
  const last = Math.min(count, heights.rowAt(view.value.top + view.value.height + MARGIN) + 1);
  useLayoutEffect(() => {
    const own = box.current;
    if (own === null) return undefined;
    const look = () => {
      if (own.scrollTop !== view.value.top || own.clientHeight !== view.value.height)
        view.value = { top: own.scrollTop, height: own.clientHeight };
    };
    look();
    own.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(own);
    return () => {
      own.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, []);
  useLayoutEffect(() => {
    const own = box.current;
    if (own === null) return;
    let shift = 0;
    for (const row of own.querySelectorAll<HTMLElement>('[data-row]')) {
      const number = Number(row.dataset.row);
      const change = heights.set(number, row.offsetHeight);
      if (change !== 0) measure.value++;
      // What is above must not push what is read.
      if (heights.top(number) < own.scrollTop) shift += change;
    }
    if (shift !== 0) own.scrollTop += shift;
  });
  useEffect(() => {
    const own = box.current;
    if (own === null || count === 0) return;
    const top = heights.top(current);
    const isSeen = top >= own.scrollTop + 20 && top + 90 <= own.scrollTop + own.clientHeight;
    if (!isSeen) own.scrollTop = Math.max(0, top - own.clientHeight / 3);
  }, [current, name]);
  return (
    <div
      class="rows"
      ref={box}
      role="application"
      aria-label={`Sentence ${current + 1} of ${count}; press ? for the keys`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of annotation work here
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <ol class="all" style={{ height: `${heights.total}px` }} data-measure={measure.value}>
        {Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i).map((row) => (
          <li
            key={row}
            data-row={row}
            class={row === current ? 'sentence current' : 'sentence'}
            style={{ transform: `translateY(${heights.top(row)}px)` }}
            aria-current={row === current ? 'true' : undefined}
            value={row + 1}
          >
            {draw(row)}
          </li>
        ))}
      </ol>
    </div>
  );
}
