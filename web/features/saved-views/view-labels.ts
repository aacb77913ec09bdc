import type { ViewBody } from '#api/views.ts'
import { MAX_VIEW_NAME } from '#domain/views/view.ts'
import { listText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'

const ROOM_FOR_COUNT = 12

/** Appends a number to a name that is already used, for example “Open tasks 2”. */
export function copyName(name: string, others: readonly { readonly name: string }[]): string {
  const stem = name.replace(/ \d+$/, '').slice(0, MAX_VIEW_NAME - ROOM_FOR_COUNT)
  const taken = new Set(others.map((other) => other.name))
  for (let count = 2; ; count += 1) {
    const wanted = `${stem} ${count}`
    if (!taken.has(wanted)) return wanted
  }
}

const PARTS: { readonly [Part in ViewBody['fellAway'][number]]: string } = {
  filter: t('filtered by'),
  sort: t('sorted by'),
  group: t('grouped by'),
  colors: t('colored by'),
  display: t('showing'),
}

/** For example “A field or option used by the filter and sort was deleted.” */
export function describeMissingParts(fellAway: ViewBody['fellAway']): string {
  const parts = listText(fellAway.map((part) => PARTS[part]))
  return t('This view was {parts} a field or option that no longer exists. The rest of the view still works.', {
    parts,
  })
}
