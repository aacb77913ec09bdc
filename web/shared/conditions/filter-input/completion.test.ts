import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import { type CompletionContext, applyCompletion, completeFilter } from './completion.ts'

const about = (name: string, label: string) => ({
  id: `id-${name}`,
  name,
  label,
  required: false,
  unique: false,
  default: null,
})
const choices = [
  { id: '01m00000000000000000000001', name: 'open', color: 'blue' },
  { id: '01m00000000000000000000002', name: 'on "hold"', color: 'gray' },
  { id: '01m00000000000000000000003', name: 'done', color: 'green' },
] as const
const country: Field = { ...about('author.country', 'Author › Country'), kind: 'text', options: {} }
const fields: readonly Field[] = [
  { ...about('title', 'Title'), kind: 'text', options: {} },
  { ...about('status', 'Status'), kind: 'select', options: { choices } },
  { ...about('amount', 'Amount'), kind: 'number', options: {} },
  { ...about('paid', 'Paid'), kind: 'checkbox', options: {} },
  { ...about('due', 'Due date'), kind: 'date', options: {} },
  { ...about('owner', 'Owner'), kind: 'user', options: { many: false } },
  { ...about('author', 'Author'), kind: 'relation', options: { collection: 'people', many: false } },
]
const ANA = '01m00000000000000000000009'
const world: CompletionContext = {
  fields,
  fieldsBehind: (path) => (path === 'author' ? [country] : []),
  people: [{ id: ANA, name: 'Ana Ito' }],
  me: 'Me',
  ownNotes: [],
  isOfGrant: false,
  compares: (field, _, other) => field.kind === other.kind,
  today: '2026-11-20',
}

/** Suggestions at the caret position, marked with `|`. */
const at = (marked: string) => {
  const caret = marked.indexOf('|')
  return completeFilter(marked.replace('|', ''), caret, world)
}
const offered = (marked: string): readonly string[] => at(marked)?.options.map(({ text }) => text) ?? []

/** The text after accepting the first suggestion. */
function taken(marked: string): string {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const completion = completeFilter(text, caret, world)
  const [option] = completion?.options ?? []
  if (!completion || !option) return 'nothing offered'
  const after = applyCompletion(text, completion, option)
  return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`
}

describe('completing a comparison between fields', () => {
  test('suggests matching fields after values, and relations that lead to one', () => {
    expect(offered('title = |')).toEqual(['author.'])
    expect(offered('title = author.|')).toEqual(['author.country'])
    expect(offered('author.country != t|')).toEqual(['title'])
    expect(offered('title = "t|')).toEqual([])
    expect(offered('title ~ |')).toEqual([])
    expect(offered('title in (|')).toEqual([])
    expect(offered('amount between |')).toEqual([])
  })

  test('suggests the same after a field as after a value', () => {
    expect(offered('author.country = title |')).toEqual(['&&', '||'])
  })
})

describe('completing a filter', () => {
  test('suggests fields by name and label', () => {
    expect(offered('|')).toContain('status')
    expect(offered('sta|')).toEqual(['status', 'start_of(', 'starts_with('])
    expect(offered('date|')).toEqual([
      'due',
      'date(',
      'dateadd(',
      'datestr(',
      'datetime_diff(',
      'datetime_format(',
      'datetime_parse(',
    ])
    expect(offered('title = "x" && (am|')).toEqual(['amount'])
    expect(offered('au|')).toEqual(['author', 'author.'])
  })

  test('suggests fields of a relation', () => {
    expect(offered('author.|')).toEqual(['author.country'])
    expect(offered('author.cou|')).toEqual(['author.country'])
    expect(offered('author.country |')).toContain('^=')
    expect(offered('author|')).toEqual(['author.'])
  })

  test('suggests fields and functions within formulas', () => {
    expect(offered('len(titl|')).toEqual(['title'])
    expect(offered('amount * 2 > le|')).toEqual(['left(', 'len(', 'title'])
    expect(offered('title = upp|')).toEqual(['upper('])
    expect(taken('lef|')).toBe('left(|')
    expect(offered('len("ti|')).toEqual([])
  })

  test('suggests operators by symbol and word', () => {
    expect(offered('paid |')).toEqual(['=', '!=', 'is empty', 'is not empty'])
    expect(offered('title cont|')).toEqual(['~', '!~'])
    expect(offered('due bef|')).toEqual(['<', '<='])
    expect(offered('title !|')).toEqual(['!=', '!~'])
    expect(offered('title is |')).toEqual(['empty', 'not empty'])
    expect(offered('title is not |')).toEqual(['empty'])
  })

  test('suggests options, users and booleans', () => {
    expect(offered('status = |')).toEqual(['"open"', String.raw`"on \"hold\""`, '"done"'])
    expect(offered('status = "op|')).toEqual(['"open"'])
    expect(offered('status = do|')).toEqual(['"done"'])
    expect(offered('status in ("open", do|')).toEqual(['"done"'])
    expect(offered('paid = |')).toEqual(['true', 'false'])
    expect(offered('owner = |')).toEqual(['@me', `"${ANA}"`])
    expect(offered('owner = ito|')).toEqual([`"${ANA}"`])
    expect(offered('owner ~ |')).toEqual(['"Ana Ito"'])
    expect(offered('amount > |')).toEqual([])
  })

  test('suggests dates, absolute and relative', () => {
    expect(offered('due > |')).toEqual(expect.arrayContaining(['@today', '@today-7d', '"2026-11-20"']))
    expect(offered('due > @to|')[0]).toBe('@today')
    expect(offered('due > @today-3|')).toEqual(['@today-3d', '@today-3w', '@today-3m', '@today-3y'])
    expect(offered('due > 2026-03-01|')).toEqual(['"2026-03-01"'])
    expect(at('due > @today-1|')?.options[0]?.label).toBe('1 day ago')
    expect(at('due > @|')?.options.map(({ label }) => label)).toContain('7 days ago')
  })

  test('suggests what can follow a condition', () => {
    expect(offered('status = "open" |')).toEqual(['&&', '||'])
    expect(offered('(status = "open" |')).toEqual(['&&', '||', ')'])
    expect(offered('status in |')).toEqual(['('])
    expect(offered('status in ("open" |')).toEqual([',', ')'])
    expect(offered('due between @today |')).toEqual(['and'])
  })

  test('suggests nothing after a complete word or an error', () => {
    expect(offered('status|')).toEqual([])
    expect(offered('paid = true|')).toEqual([])
    expect(offered('status status = |')).toEqual([])
    expect(offered('title = "mail@|')).toEqual([])
    expect(offered('amount = 1 2 |')).toEqual([])
  })
})

test('replaces the partial word and adds spaces where needed', () => {
  expect(taken('sta|')).toBe('status |')
  expect(taken('sta| = "open"')).toBe('status |= "open"')
  expect(taken('st|atus = "open"')).toBe('nothing offered')
  expect(taken('status =|')).toBe('status = "open" |')
  expect(taken('status = "o|')).toBe('status = "open" |')
  expect(taken('status = "o|pen" && paid = true')).toBe('nothing offered')
  expect(taken('status in|')).toBe('nothing offered')
  expect(taken('status in |')).toBe('status in (|')
  expect(taken('status in (|)')).toBe('status in ("open"|)')
  expect(taken('status in ("done"|)')).toBe('status in ("done",|)')
  expect(taken('status = "open"|')).toBe('nothing offered')
  expect(taken('status = "open" |')).toBe('status = "open" && |')
})

const BITS = 'status|author.|due|=|!|~|"op|"|\\|(|)|&&|in|is|@|@today-3|between|and|7|-|,| |\0|😀'.split('|')

test('works at every caret position and replaces the text around it', () => {
  const bits = fc.constantFrom(...BITS)
  fc.assert(
    fc.property(fc.array(bits), fc.nat(), (parts, place) => {
      const text = parts.join('')
      const caret = place % (text.length + 1)
      const completion = completeFilter(text, caret, world)
      if (!completion) return
      expect(completion.from).toBeLessThanOrEqual(caret)
      expect(completion.to).toBeGreaterThanOrEqual(caret)
      expect(completion.options.length).toBeGreaterThan(0)
    }),
  )
})
