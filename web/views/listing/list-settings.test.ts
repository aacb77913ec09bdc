import { expect, test } from 'vitest'
import { DEFAULT_LIST_SETTINGS, parseListSettings } from './list-settings.ts'

test('a stored list layout is restored', () => {
  const look = {
    display: { kind: 'cards', options: { fieldCount: 6, cover: 'c', fit: 'fit', size: 'small' } },
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

test('cards of version 0.2.0 have one card per row', () => {
  const { display } = parseListSettings({
    layout: {},
    display: { kind: 'cards', options: { fieldCount: 2, cover: null } },
  })
  expect(display).toEqual({ kind: 'cards', options: { fieldCount: 2, cover: null, fit: 'crop', size: 'row' } })
})

test('an invalid list layout is replaced by the default', () => {
  expect(parseListSettings(null)).toEqual(DEFAULT_LIST_SETTINGS)
  expect(
    parseListSettings({
      layout: { order: [1], hidden: 'x', widthsPx: { a: 'wide' } },
      display: { kind: 'mural' },
      density: 'huge',
      colors: [{ filter: '', color: 'loud' }],
    }),
  ).toEqual({
    display: { kind: 'grid', options: {} },
    layout: { order: [], hidden: ['createdBy', 'updatedBy'], widthsPx: {} },
    density: 'normal',
    areFiltersShown: false,
    isWrapped: false,
    footers: {},
    colors: [],
  })
})

test('created-by and updated-by columns are hidden in layouts stored before they existed', () => {
  const { layout } = parseListSettings({ layout: { order: ['a'], hidden: ['b'], widthsPx: {} } })
  expect(layout.hidden).toEqual(['b', 'createdBy', 'updatedBy'])
})
