import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * Generates any Unicode character. fast-check's unit `binary` would first build a table of all characters, which takes
 * a second.
 */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((code) => String.fromCodePoint(code < SURROGATES.first ? code : code + SURROGATES.count))
