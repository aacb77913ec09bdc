import { describe, expect, test } from 'vitest'
import { formKey, literalOfRelativeDate, relativeDateDraft, relativeDateForms, withForm } from './relative-dates.ts'

describe('a relative date', () => {
  test.each(['@today', '@now', '@today-7d', '@today+2w', '@today-1m', '@today+3y', '@now-2h', '@now+12h'])(
    '%s round-trips',
    (marker) => {
      const draft = relativeDateDraft({ marker })
      expect(draft && literalOfRelativeDate(draft)).toEqual({ marker })
    },
  )

  test('leaves absolute dates and date-times unchanged, and requires a date', () => {
    expect(literalOfRelativeDate(relativeDateDraft('2026-03-01') ?? { form: 'now' })).toBe('2026-03-01')
    expect(relativeDateDraft(undefined)).toEqual({ form: 'day', text: '' })
    expect(literalOfRelativeDate({ form: 'day', text: '' })).toBeUndefined()
  })

  test("can't represent expressions that can be entered only as text", () => {
    expect(relativeDateDraft({ marker: '@now-2d' })).toBeUndefined()
    expect(relativeDateDraft({ marker: '@me' })).toBeUndefined()
    expect(relativeDateDraft(7)).toBeUndefined()
  })

  test('keeps its number when the unit changes', () => {
    expect(withForm({ form: 'ago', unit: 'd', count: 30 }, 'ahead w')).toEqual({ form: 'ahead', unit: 'w', count: 30 })
    for (const { value } of relativeDateForms('date-time'))
      expect(formKey(withForm({ form: 'now' }, value))).toBe(value)
    expect(relativeDateForms('date').map(({ value }) => value)).not.toContain('ago h')
  })
})
