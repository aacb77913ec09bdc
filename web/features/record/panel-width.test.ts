import { describe, expect, test } from 'vitest'
import { panelWidth, allowedWidths } from '#web/features/record/panel-width.tsx'

describe('side panel width', () => {
  test('defaults to less than half the available width, up to a maximum', () => {
    expect(panelWidth(undefined, 1000)).toBe(460)
    expect(panelWidth(undefined, 2400)).toBe(560)
  })

  test('is the width selected by the user if it fits', () => {
    expect(panelWidth(700, 1200)).toBe(700)
    expect(panelWidth(700, 900)).toBe(620)
    expect(panelWidth(100, 900)).toBe(340)
  })

  test('leaves enough width for the list', () => {
    expect(allowedWidths(640)).toEqual({ minPx: 340, maxPx: 360 })
    expect(allowedWidths(500).maxPx).toBe(340)
  })
})
