/**
 * A byte range of a generated file, identical in Node and in the browser. Each group of four bytes depends on its
 * position and the seed, so that lost, repeated or misplaced bytes change the hash.
 */
export function generatedBytes(seed: number, from: number, to: number): Uint8Array<ArrayBuffer> {
  const first = Math.floor(from / 4)
  const words = new Uint32Array(Math.ceil(to / 4) - first)
  for (let at = 0; at < words.length; at += 1) {
    let mixed = Math.imul((first + at) ^ seed, 0x9e3779b1)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77)
    words[at] = mixed ^ (mixed >>> 13)
  }
  return new Uint8Array(words.buffer, from - first * 4, to - from)
}
