import type { FilterLiteral } from '#domain/query/filter.ts'
import { t } from '#web/i18n/t.ts'

/** A day or an instant as the builder asks for it: one on the calendar, or so far from now. */
export type RelativeDateDraft =
  | { readonly form: 'day'; readonly text: string }
  | { readonly form: 'today' | 'now' }
  | { readonly form: 'ago' | 'ahead'; readonly unit: RelativeDateUnit; readonly count: number }

/** In what one counts from now; hours only where instants are compared. */
export type RelativeDateUnit = 'h' | 'd' | 'w' | 'm' | 'y'

const MARKER = /^@(now|today)(?:([+-])(\d{1,6})([hdwmy]))?$/

/** A literal as the builder shows it; undefined for one it cannot, such as `@now-2d`. */
export function relativeDateDraft(literal: FilterLiteral | undefined): RelativeDateDraft | undefined {
  if (literal === undefined) return { form: 'day', text: '' }
  const text = typeof literal === 'object' ? literal.marker : literal
  if (typeof text !== 'string') return undefined
  return text.startsWith('@') ? draftOfMarker(text) : { form: 'day', text }
}

function draftOfMarker(text: string): RelativeDateDraft | undefined {
  const [, start, sign, count, unit = ''] = MARKER.exec(text) ?? []
  if (start === undefined) return undefined
  if (count === undefined) return { form: start === 'now' ? 'now' : 'today' }
  // Hours are counted from now and all others from today; whatever else there is was written by hand.
  if (!isUnit(unit) || (unit === 'h') !== (start === 'now')) return undefined
  return { form: sign === '-' ? 'ago' : 'ahead', unit, count: Number(count) }
}

/** What a draft means; undefined while no day is given. */
export function literalOfRelativeDate(draft: RelativeDateDraft): FilterLiteral | undefined {
  switch (draft.form) {
    case 'day':
      return draft.text === '' ? undefined : draft.text
    case 'today':
    case 'now':
      return { marker: `@${draft.form}` }
    case 'ago':
    case 'ahead': {
      const start = draft.unit === 'h' ? 'now' : 'today'
      return { marker: `@${start}${draft.form === 'ago' ? '-' : '+'}${draft.count}${draft.unit}` }
    }
  }
}

const isUnit = (text: string): text is RelativeDateUnit => /^[hdwmy]$/.test(text)

const UNIT_WORDS: { readonly [Form in 'ago' | 'ahead']: { readonly [Unit in RelativeDateUnit]: string } } = {
  ago: { h: t('hours ago'), d: t('days ago'), w: t('weeks ago'), m: t('months ago'), y: t('years ago') },
  ahead: {
    h: t('hours from now'),
    d: t('days from now'),
    w: t('weeks from now'),
    m: t('months from now'),
    y: t('years from now'),
  },
}

/** The ways to say a moment, by the key under which one is chosen. */
export function relativeDateForms(
  kind: 'date' | 'date-time',
): readonly { readonly value: string; readonly label: string }[] {
  const units: readonly RelativeDateUnit[] = kind === 'date' ? ['d', 'w', 'm', 'y'] : ['h', 'd', 'w', 'm', 'y']
  const relative = (form: 'ago' | 'ahead') =>
    units.map((unit) => ({ value: `${form} ${unit}`, label: UNIT_WORDS[form][unit] }))
  return [
    { value: 'day', label: t('the day') },
    { value: 'today', label: t('today') },
    ...(kind === 'date' ? [] : [{ value: 'now', label: t('now') }]),
    ...relative('ago'),
    ...relative('ahead'),
  ]
}

/** The key a draft is chosen under. */
export const formKey = (draft: RelativeDateDraft): string =>
  'unit' in draft ? `${draft.form} ${draft.unit}` : draft.form

/** Another way to say it; a count that was given stays. */
export function withForm(draft: RelativeDateDraft, key: string): RelativeDateDraft {
  const [form, unit = ''] = key.split(' ')
  if (form === 'today' || form === 'now') return { form }
  if ((form === 'ago' || form === 'ahead') && isUnit(unit))
    return { form, unit, count: 'count' in draft ? draft.count : 7 }
  return { form: 'day', text: 'text' in draft ? draft.text : '' }
}
