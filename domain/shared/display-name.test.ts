import { describe, expect, test } from 'vitest'
import { checkDisplayName } from './display-name.ts'

describe('a display name', () => {
  test.each([
    ['is kept as it is', 'Ann Lee', 'Ann Lee'],
    ['keeps scripts with marks', 'नमस्ते เชียงใหม่', 'नमस्ते เชียงใหม่'],
    ['has one form of each letter', 'Re\u0301ne\u0301', 'Réné'],
    ['has plain single spaces', '\u3000Ann\u00a0\u2003 Lee ', 'Ann Lee'],
    ['may have an emoji', 'Ann 🦊', 'Ann 🦊'],
    ['may be a member of every object', 'constructor', 'constructor'],
  ])('%s', (_, given, kept) => {
    expect(checkDisplayName(given)).toEqual({ ok: true, value: kept })
  })

  test.each([
    ['nothing', ''],
    ['spaces', ' \u2003 '],
    ['a zero-width space', 'An\u200bn'],
    ['a zero-width joiner', 'An\u200dn'],
    ['a word joiner', 'Ann\u2060'],
    ['a byte order mark', '\ufeffAnn'],
    ['a soft hyphen', 'An\u00adn'],
    ['text turned around', 'Ann \u202eeeL'],
    ['an isolate', '\u2066Ann\u2069'],
    ['an Arabic letter mark', 'Ann\u061c'],
    ['a line break', 'Ann\nLee'],
    ['a line separator', 'Ann\u2028Lee'],
    ['a tab', 'Ann\tLee'],
    ['a zero', 'Ann\0'],
    ['a control character', 'Ann\u0085'],
    ['a Hangul filler', '\u3164'],
    ['a half-width filler', '\uffa0'],
    ['a Hangul choseong filler', 'Ann\u115f'],
    ['a blank Braille pattern', '\u2800'],
    ['a grapheme joiner', 'An\u034fn'],
    ['a variation selector', 'Ann\ufe0f'],
    ['a tag character', 'Ann\u{e0041}'],
    ['a private character', 'Ann\ue000'],
    ['half of a pair', 'Ann\ud800'],
    ['marks alone', '\u0301\u0302'],
    ['a pile of marks', `A${'\u0335'.repeat(12)}`],
    ['more than 120 characters', 'a'.repeat(121)],
  ])('rejects %s', (_, given) => {
    expect(checkDisplayName(given).ok).toBe(false)
  })
})
