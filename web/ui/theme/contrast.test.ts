import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { OPTION_HUES } from './colors/colors.ts'

type Scheme = 'light' | 'dark'

const css = ['tokens.css', 'colors/option-colors.css']
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('\n')

function colorOf(token: string, scheme: Scheme): string {
  const found = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css)
  const color = found?.[scheme === 'light' ? 1 : 2]
  if (!color) throw new Error(`--${token} is not a pair of colours`)
  return color
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string, scheme: Scheme): number {
  const [dark = 0, light = 0] = [colorOf(one, scheme), colorOf(other, scheme)].map(luminance).toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const GROUNDS = ['paper', 'surface', 'sunken', 'hover']
const MEANINGS = ['primary', 'danger', 'warning', 'success']

describe.each<Scheme>(['light', 'dark'])('in the %s scheme', (scheme) => {
  test.each(GROUNDS)('text, muted text and every semantic color have sufficient contrast on %s', (ground) => {
    const unreadable = ['ink', 'muted', ...MEANINGS].filter((words) => contrast(words, ground, scheme) < 4.5)
    expect(unreadable).toEqual([])
  })

  test.each(MEANINGS)('%s has sufficient contrast on its tints, and so does text on it', (meaning) => {
    expect(contrast(meaning, `${meaning}-tint`, scheme)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(meaning, `${meaning}-tint-hover`, scheme)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(`on-${meaning}`, meaning, scheme)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(`on-${meaning}`, `${meaning}-hover`, scheme)).toBeGreaterThanOrEqual(4.5)
    expect(contrast('ink', `${meaning}-tint`, scheme)).toBeGreaterThanOrEqual(4.5)
  })

  test('text in a selected row or pressed button has sufficient contrast', () => {
    for (const ground of ['primary-tint', 'pressed']) {
      const unreadable = ['ink', 'muted'].filter((words) => contrast(words, ground, scheme) < 4.5)
      expect(unreadable).toEqual([])
    }
  })

  test('text on a search match has sufficient contrast', () => {
    expect(contrast('ink', 'hit', scheme)).toBeGreaterThanOrEqual(7)
  })

  test.each(['paper', 'surface', 'sunken'])(
    'control borders and the focus ring have sufficient contrast on %s',
    (ground) => {
      expect(contrast('control-border', ground, scheme)).toBeGreaterThanOrEqual(3)
      expect(contrast('focus', ground, scheme)).toBeGreaterThanOrEqual(3)
    },
  )

  test.each(OPTION_HUES)('the label and dot of a %s option have sufficient contrast', (hue) => {
    expect(contrast(`choice-${hue}-text`, `choice-${hue}-tint`, scheme)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(`choice-${hue}-dot`, `choice-${hue}-tint`, scheme)).toBeGreaterThanOrEqual(3)
    expect(contrast(`choice-${hue}-dot`, 'surface', scheme)).toBeGreaterThanOrEqual(3)
  })

  test.each(OPTION_HUES)('text in a %s row or cell has sufficient contrast', (hue) => {
    const unreadable = ['ink', 'muted', 'primary'].filter(
      (words) => contrast(words, `choice-${hue}-tint`, scheme) < 4.5,
    )
    expect(unreadable).toEqual([])
  })
})
