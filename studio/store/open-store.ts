import type { Store } from '../../src/project/store.js';
import { place } from '../models.js';

let opened: Promise<Store> | undefined;

/** Where projects are kept: on the server, or without one in the browser. */
export function openStore(): Promise<Store> {
  opened ??= makeStore();
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

async function makeStore(): Promise<Store> {
  if (place.value?.projects && place.value.api !== undefined) {
    const { RemoteStore } = await import('./remote-store.js');
    return new RemoteStore(place.value.api);
  }
  const { IndexedStore } = await import('./indexed-store.js');
  // The browser is asked not to clear it away; it need not agree.
  navigator.storage?.persist?.().catch(() => false);
  return new IndexedStore();
}
