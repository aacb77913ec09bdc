import type { ComboboxParsedItem } from '@mantine/core'
import { describe, expect, test } from 'vitest'
import { CREATE_VALUE, filterOptions, MORE_OPTIONS_VALUE } from './option-list.ts'

const items = (...labels: string[]) => labels.map((label) => ({ value: label, label }))

function labels(options: readonly ComboboxParsedItem[]): string[] {
  return options.flatMap((option) => ('group' in option ? labels(option.items) : [option.label]))
}

describe('the filter of a dropdown', () => {
  test('ignores case and accents', () => {
    const options = items('Ångström', 'ANGOLA', 'Brazil')
    expect(labels(filterOptions({ options, search: ' ang ', limit: 10 }))).toEqual(['ANGOLA', 'Ångström'])
  })

  test('sorts shorter labels first during a search, and otherwise keeps the original order', () => {
    const options = items('Open for review', 'Reopened', 'Open')
    expect(labels(filterOptions({ options, search: 'open', limit: 10 }))).toEqual([
      'Open',
      'Reopened',
      'Open for review',
    ])
    expect(labels(filterOptions({ options, search: '', limit: 10 }))).toEqual(['Open for review', 'Reopened', 'Open'])
  })

  test('applies its limit across all groups and reports the total', () => {
    const options = Array.from({ length: 10 }, (_, group) => ({
      group: `Group ${group}`,
      items: items(...Array.from({ length: 500 }, (_item, at) => `${group}-${at}`)),
    }))
    const shown = filterOptions({ options, search: '', limit: 1000 })
    expect(labels(shown)).toHaveLength(1001)
    expect(shown.at(-1)).toEqual({
      value: MORE_OPTIONS_VALUE,
      label: `Showing ${(1000).toLocaleString()} of ${(5000).toLocaleString()}. Keep typing to narrow the list.`,
      disabled: true,
    })
  })

  test('omits groups without matches', () => {
    const options = [
      { group: 'Fruit', items: items('Apple', 'Pear') },
      { group: 'Trees', items: items('Beech') },
    ]
    expect(filterOptions({ options, search: 'pea', limit: 10 })).toMatchObject([
      { group: 'Fruit', items: items('Pear') },
    ])
  })

  test('numbers options across groups, counts omitted ones, and puts “create” last', () => {
    const create = { value: CREATE_VALUE, label: 'Create “Pea”' }
    const options = [create, { group: 'Fruit', items: items('Pear', 'Peach') }, { group: 'Seeds', items: items('Pea') }]
    const place = (at: number) => ({ position: { 'aria-posinset': at, 'aria-setsize': 4 } })
    expect(filterOptions({ options, search: 'pea', limit: 2 })).toMatchObject([
      { group: 'Fruit', items: [place(1), place(2)] },
      { value: MORE_OPTIONS_VALUE },
      { ...create, ...place(4) },
    ])
  })

  test('shows all options if their number equals the limit', () => {
    expect(labels(filterOptions({ options: items('a', 'b'), search: '', limit: 2 }))).toEqual(['a', 'b'])
  })
})
