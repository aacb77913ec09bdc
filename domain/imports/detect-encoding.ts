import type { Confidence, Encoding } from './encodings.ts'

/** Plausibility of the non-ASCII letters as parts of words, from -1 to 1, and the number of letters scored. */
type WordScore = { readonly score: number; readonly characters: number }

const LATIN = /\p{Script=Latin}/u
const SCRIPTS = [
  LATIN,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
]
const LETTER = /\p{L}|\p{M}/u
const UPPER = /\p{Lu}/u
const LOWER = /\p{Ll}/u
/** Non-letters that can occur next to letters in any language. */
const PUNCTUATION = /[€£§©®°·«»„“”‚‘’–—…•№\u00a0]/u

/** Scores non-ASCII characters by their neighbors: same script and plausible case. */
function wordScore(text: string): WordScore {
  const characters = [...text]
  let [sum, count] = [0, 0]
  for (const [at, character] of characters.entries()) {
    if ((character.codePointAt(0) ?? 0) < 0x80) continue
    count += 1
    sum += scoreCharacter(character, characters[at - 1] ?? ' ', characters[at + 1] ?? ' ')
  }
  return { score: count === 0 ? 0 : sum / count, characters: count }
}

function scoreCharacter(character: string, before: string, after: string): number {
  const isInWord = LETTER.test(before) || LETTER.test(after)
  if (!LETTER.test(character)) return scoreSymbol(character, isInWord)
  if (!isInWord) return 0.2
  const isSameScript = sharesScript(character, before) && sharesScript(character, after)
  const isMisread = LATIN.test(character) && isForeignLetter(before) && isForeignLetter(after)
  return isSameScript && !isMisread ? scoreCase(character, before, after) : -1
}

function scoreSymbol(character: string, isInWord: boolean): number {
  if (PUNCTUATION.test(character)) return 0.8
  return isInWord ? -1 : 0
}

/** An uppercase letter after a lowercase letter is implausible. */
function scoreCase(character: string, before: string, after: string): number {
  if (!UPPER.test(character)) return 1
  if (LOWER.test(before)) return -1
  return UPPER.test(before) && LOWER.test(after) ? -0.5 : 1
}

const scriptOf = (character: string): number => SCRIPTS.findIndex((script) => script.test(character))

/** Words mix accented and plain letters, so a word of only accented letters was decoded with the wrong encoding. */
const isForeignLetter = (character: string): boolean =>
  (character.codePointAt(0) ?? 0) >= 0x80 && LETTER.test(character)

const sharesScript = (character: string, other: string): boolean =>
  !LETTER.test(other) || scriptOf(character) === scriptOf(other)

export type EncodingEvidence = {
  readonly head: Uint8Array
  /** Sample of a few thousand bytes, made of lines with non-ASCII characters from anywhere in the file. */
  readonly foreignLines: Uint8Array
  readonly isUtf8: boolean
  readonly hasZero: boolean
}

/** null if the bytes aren't valid in the encoding. */
export type Decode = (bytes: Uint8Array, encoding: Encoding) => string | null

export type FoundEncoding = { readonly encoding: Encoding; readonly confidence: Confidence }

/** Undefined if the bytes aren't text. */
export function detectEncoding(evidence: EncodingEvidence, decode: Decode): FoundEncoding | undefined {
  const declared = byteOrderMarkEncoding(evidence.head)
  const isDeclarationValid = declared !== 'utf-8' || (evidence.isUtf8 && !evidence.hasZero)
  if (declared && isDeclarationValid) return { encoding: declared, confidence: 'certain' }
  if (evidence.hasZero) return declared ? undefined : utf16WithoutMark(evidence.head)
  if (evidence.isUtf8) {
    return isIso2022Jp(evidence.head)
      ? { encoding: 'iso-2022-jp', confidence: 'likely' }
      : { encoding: 'utf-8', confidence: 'certain' }
  }
  return eastAsian(evidence.foreignLines, decode) ?? singleByte(evidence.foreignLines, decode)
}

function byteOrderMarkEncoding([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/**
 * Minimum fraction of characters below 256, such as separators, digits and line breaks, which every CSV file contains.
 */
const MIN_ASCII_SHARE = 0.2
const NOISE_SHARE = 0.02

/** In UTF-16, every ASCII character contains a zero byte. */
function utf16WithoutMark(head: Uint8Array): FoundEncoding | undefined {
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even, odd] = zeros.map((count) => count / (head.length / 2))
  if (even === undefined || odd === undefined) return undefined
  if (odd > MIN_ASCII_SHARE && even < NOISE_SHARE) return { encoding: 'utf-16le', confidence: 'likely' }
  return even > MIN_ASCII_SHARE && odd < NOISE_SHARE ? { encoding: 'utf-16be', confidence: 'likely' } : undefined
}

/** ISO-2022-JP switches character sets with ESC $ and ESC (. */
function isIso2022Jp(head: Uint8Array): boolean {
  return head.some((byte, at) => byte === 0x1b && head[at + 1] === 0x24 && [0x40, 0x42].includes(head[at + 2] ?? 0))
}

/** High bytes occur in pairs in two-byte encodings and are isolated in single-byte encodings. */
const MAJORITY_SHARE = 0.6
const KANA_IN_JAPANESE = 0.15
const HANGUL_IN_KOREAN = 0.85
/** Too few characters would give a random result. */
const ENOUGH_CHARACTERS = 12

const KANA = /[\u3041-\u30ff]/g
const HALF_KANA = /[\uff66-\uff9f]/g
const HANGUL = /[\uac00-\ud7a3]/g
const NON_ASCII = /[^\0-\u007f]/gu
const COMMON_HANZI = /[\u4e00-\u9fa5\u3000-\u3017\uff01-\uff5e]/g

const share = (text: string, pattern: RegExp): number =>
  (text.match(pattern)?.length ?? 0) / Math.max(1, text.match(NON_ASCII)?.length ?? 0)

/** Japanese is detected by kana and Korean by Hangul syllables; otherwise the text is Chinese. */
function eastAsian(bytes: Uint8Array, decode: Decode): FoundEncoding | undefined {
  if (sharesOf(bytes).together < MAJORITY_SHARE) return undefined
  const found = japanese(bytes, decode) ?? korean(bytes, decode) ?? chinese(bytes, decode)
  if (!found) return undefined
  const text = decode(bytes, found) ?? ''
  return { encoding: found, confidence: (text.match(NON_ASCII)?.length ?? 0) >= ENOUGH_CHARACTERS ? 'likely' : 'guess' }
}

function japanese(bytes: Uint8Array, decode: Decode): Encoding | undefined {
  return (['euc-jp', 'shift_jis'] as const).find((encoding) => {
    const text = decode(bytes, encoding)
    // Rejects mostly half-width kana: they are single high bytes in Shift JIS, so any text could decode to them.
    return text !== null && share(text, KANA) >= KANA_IN_JAPANESE && share(text, HALF_KANA) < MAJORITY_SHARE
  })
}

function korean(bytes: Uint8Array, decode: Decode): Encoding | undefined {
  const text = decode(bytes, 'euc-kr')
  return text !== null && share(text, HANGUL) >= HANGUL_IN_KOREAN ? 'euc-kr' : undefined
}

/** Second bytes below 0x80 are common in Big5 and rare in GB 18030. */
function chinese(bytes: Uint8Array, decode: Decode): Encoding | undefined {
  const [first, second]: readonly Encoding[] =
    sharesOf(bytes).lowSeconds > 0.1 ? ['big5', 'gb18030'] : ['gb18030', 'big5']
  return [first, second].find((encoding) => {
    const text = encoding && decode(bytes, encoding)
    return typeof text === 'string' && share(text, COMMON_HANZI) > MAJORITY_SHARE + 0.3
  })
}

/** Fraction of high bytes next to another high byte, and fraction of pairs that end in a low byte. */
function sharesOf(bytes: Uint8Array): { readonly together: number; readonly lowSeconds: number } {
  const high = bytes.reduce((count, byte) => count + Number(byte >= HIGH), 0)
  const together = bytes.reduce((count, byte, at) => count + Number(byte >= HIGH && isBesideHigh(bytes, at)), 0)
  const seconds = secondBytes(bytes)
  const low = seconds.filter((byte) => byte >= 0x40 && byte < HIGH)
  return { together: together / Math.max(1, high), lowSeconds: low.length / Math.max(1, seconds.length) }
}

const HIGH = 0x80

const isBesideHigh = (bytes: Uint8Array, at: number): boolean =>
  (bytes[at - 1] ?? 0) >= HIGH || (bytes[at + 1] ?? 0) >= HIGH

/** Counts the byte after each high byte, assuming two-byte characters. */
function secondBytes(bytes: Uint8Array): number[] {
  const seconds: number[] = []
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < HIGH) continue
    at += 1
    seconds.push(bytes[at] ?? 0)
  }
  return seconds
}

/** Most common encoding first, because the first one wins a tie. */
const SINGLE_BYTE: readonly Encoding[] = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'koi8-r',
  'ibm866',
  'windows-1253',
  'macintosh',
  'windows-1255',
  'windows-1256',
  'windows-874',
]
/** Minimum score: nearly all letters form plausible words. */
const GOOD_SCORE = 0.7
/** Minimum lead over the next candidate that decodes the letters differently. */
const CLEAR_LEAD = 0.05

function singleByte(bytes: Uint8Array, decode: Decode): FoundEncoding {
  const [best, ...others] = SINGLE_BYTE.map((encoding) => {
    const text = decode(bytes, encoding)
    return { encoding, text, ...(text === null ? { score: -1, characters: 0 } : wordScore(text)) }
  }).toSorted((left, right) => right.score - left.score)
  if (!best || best.score <= 0) return { encoding: 'windows-1252', confidence: 'guess' }
  const next = others.find((other) => other.text !== best.text)
  const isClear =
    best.score >= GOOD_SCORE && best.characters >= ENOUGH_CHARACTERS && best.score - (next?.score ?? 0) >= CLEAR_LEAD
  return { encoding: best.encoding, confidence: isClear ? 'likely' : 'guess' }
}
