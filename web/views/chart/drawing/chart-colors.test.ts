import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('chart.css', import.meta.url), 'utf8')
const SURFACES = { light: '#ffffff', dark: '#1e1c19' }

type Triple = readonly [number, number, number]

function colorsIn(scheme: 'light' | 'dark'): readonly string[] {
  return [...css.matchAll(/--chart-\d: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, light = '', dark = '']) => (scheme === 'light' ? light : dark),
  )
}

const linear = (color: string): Triple => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return [red, green, blue]
}

const luminance = ([red, green, blue]: Triple): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other].map((color) => luminance(linear(color))).toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** How colors look with full color vision and without one kind of cones (Machado, Oliveira and Fernandes, 2009). */
const VISIONS: readonly (readonly [string, readonly [Triple, Triple, Triple]])[] = [
  [
    'full color vision',
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  ],
  [
    'protanopia',
    [
      [0.152286, 1.052583, -0.204868],
      [0.114503, 0.786281, 0.099216],
      [-0.003882, -0.048116, 1.051998],
    ],
  ],
  [
    'deuteranopia',
    [
      [0.367322, 0.860646, -0.227968],
      [0.280085, 0.672501, 0.047413],
      [-0.01182, 0.04294, 0.968881],
    ],
  ],
  [
    'tritanopia',
    [
      [1.255528, -0.076749, -0.178779],
      [-0.078411, 0.930809, 0.147602],
      [0.004733, 0.691367, 0.3039],
    ],
  ],
]

const dot = (row: Triple, [x, y, z]: Triple): number => row[0] * x + row[1] * y + row[2] * z
const clamp = (value: number): number => Math.max(0, Math.min(1, value))

function oklab(color: Triple): Triple {
  const cones: Triple = [
    Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], color)),
    Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], color)),
    Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], color)),
  ]
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ]
}

/** Several times the smallest difference that can be seen next to each other. */
const DISTINCT = 0.08

describe.each(['light', 'dark'] as const)('series colors in the %s scheme', (scheme) => {
  const colors = colorsIn(scheme)

  test('have sufficient contrast on charts', () => {
    expect(colors).toHaveLength(8)
    expect(colors.filter((color) => contrast(color, SURFACES[scheme]) < 3)).toEqual([])
  })

  test.each(VISIONS)('can be told apart with %s', (_, [red, green, blue]) => {
    const seen = colors.map((color) => {
      const rgb = linear(color)
      return oklab([clamp(dot(red, rgb)), clamp(dot(green, rgb)), clamp(dot(blue, rgb))])
    })
    const similar = seen.flatMap((one, at) =>
      seen.slice(at + 1).flatMap((other, more) => {
        const distance = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
        return distance < DISTINCT ? [`${at + 1} and ${at + more + 2}: ${distance.toFixed(3)}`] : []
      }),
    )
    expect(similar).toEqual([])
  })
})
