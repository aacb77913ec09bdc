import type { FilterLiteral } from '#domain/query/filter/filter.ts'
import { plural, t } from '#web/i18n/t.ts'

export type RelativeDateDraft =
  | { readonly form: 'day'; readonly text: string }
  | { readonly form: 'today' | 'now' }
  | { readonly form: 'ago' | 'ahead'; readonly unit: RelativeDateUnit; readonly count: number }

/** Hours are available only for date-times. */
type RelativeDateUnit = 'h' | 'd' | 'w' | 'm' | 'y'

const MARKER = /^@(now|today)(?:([+-])(\d{1,6})([hdwmy]))?$/

/** Undefined for literals that the form can't represent, such as `@now-2d`. */
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
  // Hours are counted from now, other units from today.
  if (!isUnit(unit) || (unit === 'h') !== (start === 'now')) return undefined
  return { form: sign === '-' ? 'ago' : 'ahead', unit, count: Number(count) }
}

/** Undefined if no date is selected. */
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

export const formKey = (draft: RelativeDateDraft): string =>
  'unit' in draft ? `${draft.form} ${draft.unit}` : draft.form

export function withForm(draft: RelativeDateDraft, key: string): RelativeDateDraft {
  const [form, unit = ''] = key.split(' ')
  if (form === 'today' || form === 'now') return { form }
  if ((form === 'ago' || form === 'ahead') && isUnit(unit))
    return { form, unit, count: 'count' in draft ? draft.count : 7 }
  return { form: 'day', text: 'text' in draft ? draft.text : '' }
}

const OFFERED = ['@today-7d', '@today-30d', '@today-1m', '@today-1y', '@today+7d', '@today+30d'] as const
const OFFERED_HOURS = ['@now-1h', '@now-24h'] as const

type RelativeDateOption = { readonly text: string; readonly label: string }

/** Completes a partly typed marker, such as `@today-3`, with a unit. */
export function relativeDateOptions(
  kind: 'date' | 'date-time',
  typed: string,
  today: string,
): readonly RelativeDateOption[] {
  const day = /^"?(\d{4}-\d\d-\d\d)"?$/.exec(typed)?.[1]
  if (day !== undefined) return [{ text: `"${day}"`, label: t('the day') }]
  const [, start, sign, count] = /^@(today|now)([+-])(\d{1,6})$/.exec(typed) ?? []
  if (start !== undefined) return unitsOf(start).map((unit) => option(`@${start}${sign}${count}${unit}`))
  const fixed = kind === 'date' ? ['@today'] : ['@today', '@now', ...OFFERED_HOURS]
  return [...[...fixed, ...OFFERED].map(option), { text: `"${today}"`, label: t('a day') }]
}

const unitsOf = (start: string): readonly string[] => (start === 'now' ? ['h'] : ['d', 'w', 'm', 'y'])

const option = (marker: string): RelativeDateOption => ({ text: marker, label: describeRelativeDate(marker) })

/** For example “7 days ago”. */
export function describeRelativeDate(marker: string): string {
  const draft = relativeDateDraft({ marker })
  if (draft === undefined || draft.form === 'day') return marker
  if ('count' in draft) return COUNTED[draft.form][draft.unit](draft.count)
  return relativeDateForms('date-time').find(({ value }) => value === formKey(draft))?.label ?? marker
}

const COUNTED: { readonly [Form in 'ago' | 'ahead']: { readonly [Unit in RelativeDateUnit]: (n: number) => string } } =
  {
    ago: {
      h: (n) => plural(n, '{n} hour ago', '{n} hours ago'),
      d: (n) => plural(n, '{n} day ago', '{n} days ago'),
      w: (n) => plural(n, '{n} week ago', '{n} weeks ago'),
      m: (n) => plural(n, '{n} month ago', '{n} months ago'),
      y: (n) => plural(n, '{n} year ago', '{n} years ago'),
    },
    ahead: {
      h: (n) => plural(n, '{n} hour from now', '{n} hours from now'),
      d: (n) => plural(n, '{n} day from now', '{n} days from now'),
      w: (n) => plural(n, '{n} week from now', '{n} weeks from now'),
      m: (n) => plural(n, '{n} month from now', '{n} months from now'),
      y: (n) => plural(n, '{n} year from now', '{n} years from now'),
    },
  }
