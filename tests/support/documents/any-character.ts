import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Any Unicode character. Unlike the unit `binary`, it needs no table of all characters, which takes a second to build. */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((code) => String.fromCodePoint(code < SURROGATES.first ? code : code + SURROGATES.count))
