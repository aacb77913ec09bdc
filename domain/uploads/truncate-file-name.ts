/** Limits in characters, and optionally in UTF-8 bytes. */
export type NameLimits = { readonly characters: number; readonly bytes?: number }

/** File extension, or both extensions for `.tar.*`. */
const ENDING = /(?<=[^.])(?:\.tar)?\.[^.\s]{1,20}$/i

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Truncates a name before its extension, but never within a grapheme. */
export function truncateFileName(name: string, limits: NameLimits): string {
  if (fits(name, limits)) return name
  const ending = ENDING.exec(name)?.[0] ?? ''
  const stem = name.slice(0, name.length - ending.length)
  const whole = Array.from(graphemes.segment(stem), ({ segment }) => segment)
  // A single grapheme can exceed the limit.
  const kept = fittingPrefix(whole, ending, limits) || fittingPrefix([...stem], ending, limits)
  return kept.replace(/[\s.]+$/, '') + ending
}

function fittingPrefix(pieces: readonly string[], ending: string, limits: NameLimits): string {
  let kept = ''
  let room = roomIn(limits, ending)
  for (const piece of pieces) {
    room = roomIn(room, piece)
    if (room.characters < 0 || room.bytes < 0) break
    kept += piece
  }
  return kept
}

const roomIn = ({ characters, bytes = Number.POSITIVE_INFINITY }: NameLimits, text: string) => ({
  characters: characters - [...text].length,
  bytes: bytes - utf8Bytes(text),
})

function fits(name: string, limits: NameLimits): boolean {
  const room = roomIn(limits, name)
  return room.characters >= 0 && room.bytes >= 0
}

const utf8Bytes = (text: string): number => [...text].reduce((sum, character) => sum + utf8BytesOf(character), 0)

function utf8BytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x1_0000 ? 3 : 4
}
