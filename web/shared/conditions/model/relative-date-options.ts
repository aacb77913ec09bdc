import { plural, t } from '#web/i18n/t.ts'
import { formKey, relativeDateForms, relativeDateDraft, type RelativeDateUnit } from './relative-date-draft.ts'

/** What is offered before anything is typed: the spans people ask for. */
const OFFERED = ['@today-7d', '@today-30d', '@today-1m', '@today-1y', '@today+7d', '@today+30d'] as const
const OFFERED_HOURS = ['@now-1h', '@now-24h'] as const

/** A moment as it is written, and in words. */
export type RelativeDateOption = { readonly text: string; readonly label: string }

/** The moments to offer for what is typed: `@today-3` goes on to days, weeks, months and years. */
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

/** A marker in words: “7 days ago”; itself where there are none. */
export function describeRelativeDate(marker: string): string {
  const draft = relativeDateDraft({ marker })
  if (draft === undefined || draft.form === 'day') return marker
  if ('count' in draft) return COUNTED[draft.form][draft.unit](draft.count)
  return relativeDateForms('date-time').find(({ value }) => value === formKey(draft))?.label ?? marker
}

/** So many from now, in words. */
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
