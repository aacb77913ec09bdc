import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Any Unicode character. The unit `binary` first builds a table of all characters, which takes a second. */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((code) => String.fromCodePoint(code < SURROGATES.first ? code : code + SURROGATES.count))
