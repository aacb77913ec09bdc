import { expect, test } from 'vitest'
import { MISSING_FEATURES } from './missing-features.ts'
import { type PaletteItem, parseQuery, rankItems } from './rank-items.ts'

const items = MISSING_FEATURES.map(
  ({ id, label, note, alsoCalled }): PaletteItem => ({
    id,
    group: 'missing',
    label,
    note,
    alsoCalled: [alsoCalled],
    isPart: true,
    href: '/',
  }),
)

const found = (text: string) =>
  rankItems(items, parseQuery(text), { recent: [], mostOfGroup: 5 }).flatMap((ranked) => ranked.items)

test.each([
  ['kanban', 'board'],
  ['webhook', 'webhook'],
  ['history', 'record-history'],
  ['formula', 'formula'],
  ['rollup', 'formula'],
  ['calendar', 'calendar'],
  ['gantt', 'timeline'],
  ['zapier', 'integration'],
  ['automation', 'automation'],
  ['public form', 'form'],
  ['comments', 'comment'],
  ['xlsx', 'excel'],
  ['sso', 'sso'],
])('searching for “%s” shows the alternative', (words, id) => {
  expect(found(words)[0]?.id).toBe(id)
})

test('missing features are listed only in search results, and never as commands or pages', () => {
  for (const text of ['', '>', '>trash', '/trash']) expect(found(text)).toEqual([])
})
