import { expect, test } from 'vitest'
import { DEFAULT_LIST_SETTINGS, parseListSettings } from './list-settings.ts'

test('an arrangement that was kept comes back', () => {
  const look = {
    layout: { order: ['b', 'a', 'createdBy'], hidden: ['c', 'updatedBy'], widthsPx: { a: 90 } },
    density: 'tall',
    areFiltersShown: true,
    isWrapped: true,
    footers: { a: 'sum' },
    colors: [
      { filter: 'amount > 5', color: 'red', field: null },
      { filter: 'title ~ "x"', color: 'blue', field: 'b' },
    ],
  } as const
  expect(parseListSettings(JSON.parse(JSON.stringify(look)))).toEqual(look)
})

test('what makes no sense is as at first', () => {
  expect(parseListSettings(null)).toEqual(DEFAULT_LIST_SETTINGS)
  expect(
    parseListSettings({
      layout: { order: [1], hidden: 'x', widthsPx: { a: 'wide' } },
      density: 'huge',
      colors: [{ filter: '', color: 'loud' }],
    }),
  ).toEqual({
    layout: { order: [], hidden: ['createdBy', 'updatedBy'], widthsPx: {} },
    density: 'normal',
    areFiltersShown: false,
    isWrapped: false,
    footers: {},
    colors: [],
  })
})

test('columns of people are hidden in arrangements kept before these columns existed', () => {
  const { layout } = parseListSettings({ layout: { order: ['a'], hidden: ['b'], widthsPx: {} } })
  expect(layout.hidden).toEqual(['b', 'createdBy', 'updatedBy'])
})
