import { describe, expect, test } from 'vitest'
import { formKey, literalOfMoment, momentDraft, momentForms, withForm } from './moment-draft.ts'

describe('a moment in a condition', () => {
  test.each(['@today', '@now', '@today-7d', '@today+2w', '@today-1m', '@today+3y', '@now-2h', '@now+12h'])(
    '%s is drawn and written as it was',
    (marker) => {
      const draft = momentDraft({ marker })
      expect(draft && literalOfMoment(draft)).toEqual({ marker })
    },
  )

  test('that is a day or an instant stays what it is, and one without a day is none yet', () => {
    expect(literalOfMoment(momentDraft('2026-03-01') ?? { form: 'now' })).toBe('2026-03-01')
    expect(momentDraft(undefined)).toEqual({ form: 'day', text: '' })
    expect(literalOfMoment({ form: 'day', text: '' })).toBeUndefined()
  })

  test('that only text can say is not drawn', () => {
    expect(momentDraft({ marker: '@now-2d' })).toBeUndefined()
    expect(momentDraft({ marker: '@me' })).toBeUndefined()
    expect(momentDraft(7)).toBeUndefined()
  })

  test('keeps its count when its unit changes, and every way to say it can be chosen', () => {
    expect(withForm({ form: 'ago', unit: 'd', count: 30 }, 'ahead w')).toEqual({ form: 'ahead', unit: 'w', count: 30 })
    for (const { value } of momentForms('date-time')) expect(formKey(withForm({ form: 'now' }, value))).toBe(value)
    expect(momentForms('date').map(({ value }) => value)).not.toContain('ago h')
  })
})
