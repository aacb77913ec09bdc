import { describe, expect, test } from 'vitest'
import type { ItemGroup, PaletteItem } from './palette-item.ts'
import { rankItems, parseQuery, scoreOf } from './rank-items.ts'

type Told = { readonly group?: ItemGroup; readonly within?: string; readonly alsoCalled?: readonly string[] }

const item = (label: string, { group = 'go', ...told }: Told = {}): PaletteItem => ({
  id: label,
  label,
  group,
  href: '/',
  ...told,
})

const ranked = (items: readonly PaletteItem[], text: string, recent: readonly string[] = []) =>
  rankItems(items, parseQuery(text), { recent, mostOfGroup: 3 }).map(({ group, items: found }) => [
    group,
    ...found.map(({ label }) => label),
  ])

describe('what is typed', () => {
  test('asks for everything, for what can be done, or for where to go', () => {
    expect(parseQuery(' new rec ')).toEqual({ mode: 'all', words: 'new rec' })
    expect(parseQuery('> new')).toEqual({ mode: 'do', words: 'new' })
    expect(parseQuery('/set')).toEqual({ mode: 'go', words: 'set' })
  })

  test('fits by the beginnings of words, in any order', () => {
    const limits = item('Session limits')
    const fits = (words: string) => scoreOf(limits, words) !== undefined
    const asked = ['session', 'lim', 'lim ses', 'sl', 'sesl', 'SESSION Limits', 'ession', 'sessions', 'ls', 'session x']
    expect(asked.filter(fits)).toEqual(asked.slice(0, 6))
  })

  test('fits whatever marks its letters bear', () => {
    expect(scoreOf(item('Crème brûlée'), 'creme')).toBeDefined()
    expect(scoreOf(item('Überstunden'), 'uber')).toBeDefined()
  })

  test('fits what a thing belongs to and what else it is called, though less', () => {
    const place = item('Session limits', { within: 'Workspace', alsoCalled: ['Expiry of sign-ins'] })
    const [own = 0, within = 0, also = 0] = ['session', 'workspace', 'expiry'].map((words) => scoreOf(place, words))
    expect([own > within, within > also, also > 0]).toEqual([true, true, true])
  })
})

describe('of what fits', () => {
  test('the whole name comes first, then a beginning, then a word further in', () => {
    const items = [item('Old tasks'), item('Tasks of today'), item('Tasks')]
    expect(ranked(items, 'tasks')).toEqual([['go', 'Tasks', 'Tasks of today', 'Old tasks']])
  })

  test('the group with the best stands first', () => {
    const items = [item('New record in Sales', { group: 'create' }), item('Sales')]
    expect(ranked(items, 'sales').map(([group]) => group)).toEqual(['go', 'create'])
    expect(ranked(items, 'new').map(([group]) => group)).toEqual(['create'])
  })

  test('what was used last comes before its like, and not before what fits better', () => {
    const items = [item('Cases'), item('Casinos'), item('Old cases')]
    expect(ranked(items, 'cas', ['Casinos', 'Old cases'])).toEqual([['go', 'Casinos', 'Cases', 'Old cases']])
  })

  test('no more stand in a group than there is room for', () => {
    const items = ['a1', 'a2', 'a3', 'a4'].map((label) => item(label))
    expect(ranked(items, 'a')).toEqual([['go', 'a1', 'a2', 'a3']])
  })
})

describe('the beginnings ask', () => {
  const items = [item('Home'), item('People', { group: 'settings' }), item('Filter', { group: 'page' })]

  test('for everything in its usual order, what was used last before it', () => {
    expect(ranked(items, '')).toEqual([
      ['page', 'Filter'],
      ['go', 'Home'],
      ['settings', 'People'],
    ])
    expect(ranked(items, '', ['People', 'Gone'])[0]).toEqual(['recent', 'People'])
  })

  test('for what can be done alone, or for where to go alone', () => {
    expect(ranked(items, '>')).toEqual([['page', 'Filter']])
    expect(ranked(items, '/')).toEqual([
      ['go', 'Home'],
      ['settings', 'People'],
    ])
  })
})
