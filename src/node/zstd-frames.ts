const FRAME = 0xfd2fb528;
/** Skippable frames begin with this and a last digit of any value. */
const SKIPPABLE = 0x184d2a50;

/**
 * Follows the frames of a zstd file (RFC 8878) as its bytes come, to tell whether it ends where a frame does: Node unpacks a file that
 * was cut short without a word.
 */
export class ZstdFrames {
  /** Bytes of a header that has not come as a whole. */
  private head: number[] = [];
  private wanted = 4;
  private skip = 0;
  private state: 'magic' | 'skippable' | 'descriptor' | 'block' = 'magic';
  private hasChecksum = false;
  /** Frames that have begun, those without content left out. */
  count = 0;

  /** Whether the bytes so far end with a frame. */
  get isComplete(): boolean {
    return this.state === 'magic' && this.head.length === 0 && this.skip === 0;
  }

  /** Adds bytes. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const skipped = Math.min(this.skip, bytes.length - at);
      this.skip -= skipped;
      at += skipped;
      if (at === bytes.length) return;
      this.head.push(bytes[at++]);
      if (this.head.length === this.wanted) this.read();
    }
  }

  private read(): void {
    const value = this.head.reduceRight((sum, byte) => sum * 256 + byte, 0);
    this.head = [];
    switch (this.state) {
      case 'magic':
        if (value === FRAME) {
          this.count++;
          this.expect('descriptor', 1);
        }
        // What follows and is no frame is refused by who unpacks it; here it is never complete.
        else this.expect('skippable', value - (value % 16) === SKIPPABLE ? 4 : Number.POSITIVE_INFINITY);
        return;
      case 'skippable':
        this.skip = value;
        this.expect('magic', 4);
        return;
      case 'descriptor': {
        const isSingle = (value & 0x20) !== 0;
        const sizes = [isSingle ? 1 : 0, 2, 4, 8];
        this.skip = (isSingle ? 0 : 1) + [0, 1, 2, 4][value & 3] + sizes[value >> 6];
        this.hasChecksum = (value & 4) !== 0;
        this.expect('block', 3);
        return;
      }
      case 'block': {
        const isLast = (value & 1) !== 0;
        const isRepeated = ((value >> 1) & 3) === 1;
        this.skip = isRepeated ? 1 : value >> 3;
        if (!isLast) return;
        if (this.hasChecksum) this.skip += 4;
        this.expect('magic', 4);
      }
    }
  }

  private expect(state: ZstdFrames['state'], bytes: number): void {
    this.state = state;
    this.wanted = bytes;
  }
}
