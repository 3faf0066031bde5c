const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0;
const ROUNDS = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/**
 * SHA-256 (FIPS 180-4) in hexadecimal, for what is small. `node:crypto` takes as long to load as a sixth of what Node
 * itself takes to start, and a short run needs it for nothing else.
 */
export function sha256(data: Uint8Array): string {
  const blocks = pad(data);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let offset = 0; offset < blocks.byteLength; offset += 64) addBlock(state, words, blocks, offset);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The data, a bit, zeros, and the length in bits at the end of a block. */
function pad(data: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(padded.length - 4, data.length << 3);
  return view;
}

function addBlock(state: Int32Array, words: Int32Array, blocks: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) words[i] = blocks.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const before = words[i - 15] as number;
    const last = words[i - 2] as number;
    const s0 = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
    const s1 = rotate(last, 17) ^ rotate(last, 19) ^ (last >>> 10);
    words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] as number) + (words[i] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + value;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
