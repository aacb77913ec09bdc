import { describe, expect, test } from 'vitest'
import type { Field, FieldKind, OptionsOf } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { localFormat } from '#web/shared/formatting/local-format.ts'
import { cellText } from '#web/shared/fields/client-value.ts'
import { type NameMatch, parseTexts, type ResolveNames } from './paste-values.ts'

function fieldOf<Kind extends FieldKind>(kind: Kind, options: OptionsOf[Kind], required = false): Field {
  // The cast is safe because callers pass options that match the kind.
  return { id: `f-${kind}`, name: kind, label: kind, kind, required, unique: false, default: null, options } as Field
}
const collection = {
  id: 'c',
  name: 'c',
  label: 'C',
  fields: [],
  titleField: null,
  version: 1,
  timeZone: 'UTC',
  can: [],
} as unknown as TypedCollection

const nobody: ResolveNames = () => Promise.resolve(new Map())
const read = async (field: Field, text: string, find = nobody, locale = 'en-US') => {
  const [value] = await parseTexts(collection, field, [text], { find, format: localFormat(locale) })
  return value?.ok ? value.value : `! ${value?.fault}`
}

const choices = ['Open', 'Done', 'On hold; later'].map((name, at) => ({ id: `c${at}`, name, color: 'gray' as const }))

describe('pasted text', () => {
  test('is parsed as in an import, with case-insensitive option names', async () => {
    expect(await read(fieldOf('text', {}), 'One')).toBe('One')
    expect(await read(fieldOf('checkbox', {}), 'yes')).toBe(true)
    expect(await read(fieldOf('select', { choices }), 'open')).toBe('Open')
    expect(await read(fieldOf('multi-select', { choices }), 'Done; "On hold; later"')).toEqual([
      'Done',
      'On hold; later',
    ])
    expect(await read(fieldOf('json', {}), '{"a":1}')).toEqual({ a: 1 })
    expect(await read(fieldOf('url', {}), 'example.com')).toBe('https://example.com')
  })

  test('clears the cell if the text is empty, unless the field is required', async () => {
    expect(await read(fieldOf('number', {}), '  ')).toBeNull()
    expect(await read(fieldOf('multi-select', { choices }), '')).toEqual([])
    expect(await read(fieldOf('checkbox', {}), '')).toBe(false)
    expect(await read(fieldOf('text', {}, true), '')).toBe('! This field is required.')
  })

  test('can contain numbers and dates in the format of the locale', async () => {
    expect(await read(fieldOf('number', {}), '1,234.50')).toBe(1234.5)
    expect(await read(fieldOf('number', {}), '1.234,50 €', nobody, 'de-DE')).toBe(1234.5)
    expect(await read(fieldOf('number', {}), '($12.5)')).toBe(-12.5)
    expect(await read(fieldOf('number', {}), '-$ 3')).toBe(-3)
    expect(await read(fieldOf('date', {}), '3/9/2026')).toBe('2026-03-09')
    expect(await read(fieldOf('date', {}), '9.3.26', nobody, 'de-DE')).toBe('2026-03-09')
    expect(await read(fieldOf('date', {}), 'Mar 9, 2026')).toBe('2026-03-09')
    expect(await read(fieldOf('date', {}), '9-Mar-2026', nobody, 'en-GB')).toBe('2026-03-09')
    expect(await read(fieldOf('date', {}), '2026-03-09')).toBe('2026-03-09')
    const local = new Date(2026, 2, 9, 14, 30).toISOString()
    expect(await read(fieldOf('date-time', {}), '2026-03-09 14:30')).toBe(local)
    expect(await read(fieldOf('date-time', {}), '3/9/2026 2:30 PM')).toBe(local)
    expect(await read(fieldOf('date-time', {}), '2026-03-09T14:30:00.000Z')).toBe('2026-03-09T14:30:00.000Z')
  })

  test('is rejected if it is invalid, and the error quotes it', async () => {
    expect(await read(fieldOf('number', {}), 'abc')).toBe('! “abc” isn’t a number.')
    expect(await read(fieldOf('select', { choices }), 'Lost')).toBe('! “Lost” isn’t one of the options.')
    expect(await read(fieldOf('date', {}), '31.2.2026')).toMatch(/^! “31\.2\.2026” isn’t a valid date/)
  })

  test('looks up each linked record and user only once', async () => {
    const requested: (readonly string[])[] = []
    const find: ResolveNames = (_field, names) => {
      requested.push(names)
      return Promise.resolve(
        new Map<string, NameMatch>([
          ['Ada', { id: 'u1', name: 'Ada L.' }],
          ['Twin', 'several'],
        ]),
      )
    }
    const many = fieldOf('relation', { collection: 'x', many: true })
    const format = localFormat('en')
    const values = await parseTexts(collection, many, ['Ada', 'Ada; Ada', 'Twin', 'Eve'], { find, format })
    expect(requested).toEqual([['Ada', 'Twin', 'Eve']])
    expect(values).toEqual([
      { ok: true, value: [{ id: 'u1', title: 'Ada L.' }] },
      { ok: true, value: [{ id: 'u1', title: 'Ada L.' }] },
      { ok: false, fault: 'Several records are named “Twin”.' },
      { ok: false, fault: 'Couldn’t find a record named “Eve”.' },
    ])
    expect(await read(fieldOf('user', { many: false }), 'Ada', find)).toEqual([{ id: 'u1', name: 'Ada L.' }])
  })

  test('restores the original value if it was copied from a cell', async () => {
    const values: readonly [Field, unknown][] = [
      [fieldOf('text', {}), '=1+1'],
      [fieldOf('text', {}), "'=quoted"],
      [fieldOf('number', {}), -1234.567],
      [fieldOf('checkbox', {}), true],
      [fieldOf('date', {}), '2026-03-09'],
      [fieldOf('date-time', {}), '2026-03-09T14:30:00.000Z'],
      [fieldOf('multi-select', { choices }), ['Open', 'On hold; later']],
      [fieldOf('json', {}), { list: [1, null] }],
    ]
    for (const locale of ['en-US', 'de-DE', 'fr-FR']) {
      const { decimal } = localFormat(locale)
      for (const [field, value] of values)
        expect(await read(field, cellText(field, value, decimal), nobody, locale), `${locale} ${field.kind}`).toEqual(
          value,
        )
    }
  })
})
