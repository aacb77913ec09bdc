import { describe, expect, test } from 'vitest'
import { panelWidth, allowedWidths } from './panel-width.ts'

describe('the panel beside a list', () => {
  test('takes less than half of the room at first, and never much', () => {
    expect(panelWidth(undefined, 1000)).toBe(460)
    expect(panelWidth(undefined, 2400)).toBe(560)
  })

  test('is as wide as it was made, as far as there is room', () => {
    expect(panelWidth(700, 1200)).toBe(700)
    expect(panelWidth(700, 900)).toBe(620)
    expect(panelWidth(100, 900)).toBe(340)
  })

  test('leaves the list its least where there is hardly room for both', () => {
    expect(allowedWidths(640)).toEqual({ leastPx: 340, mostPx: 360 })
    expect(allowedWidths(500).mostPx).toBe(340)
  })
})
