/** Counts the values in JSON while it is received: every list and object, and each further value in one. */
export type JsonValueCounter = { readonly take: (bytes: Uint8Array) => void; readonly sum: () => number }

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const LIST = 0x5b
const OBJECT = 0x7b

/** Counts something in invalid JSON, which the parser rejects. */
export function createJsonValueCounter(): JsonValueCounter {
  let sum = 0
  let isText = false
  let isTaken = false
  return {
    take: (bytes) => {
      for (const byte of bytes) {
        if (isTaken) isTaken = false
        else if (byte === QUOTE) isText = !isText
        else if (isText) isTaken = byte === BACKSLASH
        else if (byte === COMMA || byte === LIST || byte === OBJECT) sum += 1
      }
    },
    sum: () => sum,
  }
}
