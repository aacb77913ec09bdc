import { t } from '#web/language/t.ts'
import { formKey, momentForms, momentDraft } from './moment-draft.ts'

/** What is offered before anything is typed: the spans people ask for. */
const OFFERED = ['@today-7d', '@today-30d', '@today-1m', '@today-1y', '@today+7d', '@today+30d'] as const
const OFFERED_HOURS = ['@now-1h', '@now-24h'] as const

/** A moment as it is written, and in words. */
export type MomentOption = { readonly text: string; readonly label: string }

/** The moments to offer for what is typed: `@today-3` goes on to days, weeks, months and years. */
export function momentOptions(kind: 'date' | 'date-time', typed: string, today: string): readonly MomentOption[] {
  const day = /^"?(\d{4}-\d\d-\d\d)"?$/.exec(typed)?.[1]
  if (day !== undefined) return [{ text: `"${day}"`, label: t('the day') }]
  const [, start, sign, count] = /^@(today|now)([+-])(\d{1,6})$/.exec(typed) ?? []
  if (start !== undefined) return unitsOf(start).map((unit) => option(`@${start}${sign}${count}${unit}`))
  const fixed = kind === 'date' ? ['@today'] : ['@today', '@now', ...OFFERED_HOURS]
  return [...[...fixed, ...OFFERED].map(option), { text: `"${today}"`, label: t('a day') }]
}

const unitsOf = (start: string): readonly string[] => (start === 'now' ? ['h'] : ['d', 'w', 'm', 'y'])

const option = (marker: string): MomentOption => ({ text: marker, label: momentWords(marker) })

/** A marker in words: “7 days ago”; itself where there are none. */
export function momentWords(marker: string): string {
  const draft = momentDraft({ marker })
  if (draft === undefined || draft.form === 'day') return marker
  const label = momentForms('date-time').find(({ value }) => value === formKey(draft))?.label ?? marker
  return 'count' in draft ? `${draft.count} ${draft.count === 1 ? label.replace('s ', ' ') : label}` : label
}
