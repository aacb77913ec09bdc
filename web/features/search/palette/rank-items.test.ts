import { describe, expect, test } from 'vitest'
import { type ItemGroup, type PaletteItem, parseQuery, rankItems, scoreOf } from './rank-items.ts'

type Reported = { readonly group?: ItemGroup; readonly within?: string; readonly alsoCalled?: readonly string[] }

const item = (label: string, { group = 'go', ...reported }: Reported = {}): PaletteItem => ({
  id: label,
  label,
  group,
  href: '/',
  ...reported,
})

const ranked = (items: readonly PaletteItem[], text: string, recent: readonly string[] = []) =>
  rankItems(items, parseQuery(text), { recent, mostOfGroup: 3 }).map(({ group, items: found }) => [
    group,
    ...found.map(({ label }) => label),
  ])

describe('a command palette query', () => {
  test('searches everything, or only commands or places', () => {
    expect(parseQuery(' new rec ')).toEqual({ mode: 'all', words: 'new rec' })
    expect(parseQuery('> new')).toEqual({ mode: 'do', words: 'new' })
    expect(parseQuery('/set')).toEqual({ mode: 'go', words: 'set' })
  })

  test('matches word prefixes in any order', () => {
    const limits = item('Session limits')
    const fits = (words: string) => scoreOf(limits, words) !== undefined
    const requested = [
      'session',
      'lim',
      'lim ses',
      'sl',
      'sesl',
      'SESSION Limits',
      'ession',
      'sessions',
      'ls',
      'session x',
    ]
    expect(requested.filter(fits)).toEqual(requested.slice(0, 6))
  })

  test('ignores accents', () => {
    expect(scoreOf(item('Crème brûlée'), 'creme')).toBeDefined()
    expect(scoreOf(item('Überstunden'), 'uber')).toBeDefined()
  })

  test('matches context and aliases with a lower rank', () => {
    const place = item('Session limits', { within: 'Workspace', alsoCalled: ['Expiry of sign-ins'] })
    const [own = 0, within = 0, also = 0] = ['session', 'workspace', 'expiry'].map((words) => scoreOf(place, words))
    expect([own > within, within > also, also > 0]).toEqual([true, true, true])
  })
})

describe('ranking', () => {
  test('ranks full names first, then prefixes, then later words', () => {
    const items = [item('Old tasks'), item('Tasks of today'), item('Tasks')]
    expect(ranked(items, 'tasks')).toEqual([['go', 'Tasks', 'Tasks of today', 'Old tasks']])
  })

  test('lists the group with the best match first', () => {
    const items = [item('New record in Sales', { group: 'create' }), item('Sales')]
    expect(ranked(items, 'sales').map(([group]) => group)).toEqual(['go', 'create'])
    expect(ranked(items, 'new').map(([group]) => group)).toEqual(['create'])
  })

  test('ranks recent items first only among equal matches', () => {
    const items = [item('Cases'), item('Casinos'), item('Old cases')]
    expect(ranked(items, 'cas', ['Casinos', 'Old cases'])).toEqual([['go', 'Casinos', 'Cases', 'Old cases']])
  })

  test('limits the number of items per group', () => {
    const items = ['a1', 'a2', 'a3', 'a4'].map((label) => item(label))
    expect(ranked(items, 'a')).toEqual([['go', 'a1', 'a2', 'a3']])
  })
})

describe('an empty command palette query', () => {
  const items = [item('Home'), item('People', { group: 'settings' }), item('Filter', { group: 'page' })]

  test('lists recent items, then all groups', () => {
    expect(ranked(items, '')).toEqual([
      ['page', 'Filter'],
      ['go', 'Home'],
      ['settings', 'People'],
    ])
    expect(ranked(items, '', ['People', 'Gone'])[0]).toEqual(['recent', 'People'])
  })

  test('lists only commands or only places', () => {
    expect(ranked(items, '>')).toEqual([['page', 'Filter']])
    expect(ranked(items, '/')).toEqual([
      ['go', 'Home'],
      ['settings', 'People'],
    ])
  })
})
