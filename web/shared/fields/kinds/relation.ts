import type { RelatedBody } from '#api/records.ts'
import { escapeGuarded } from '#domain/imports/print-csv.ts'
import { printList } from '#domain/shared/list-text.ts'
import { IconLink } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'

const isRelated = (value: unknown): value is RelatedBody =>
  typeof value === 'object' && value !== null && 'id' in value && 'title' in value

/** A list asks for related records with their titles; a bare ID is a record without a title. */
function relatedIn(value: unknown): readonly RelatedBody[] {
  if (typeof value === 'string') return [{ id: value, title: '' }]
  return isRelated(value) ? [value] : []
}

const readRelated = (value: unknown): readonly RelatedBody[] =>
  Array.isArray(value) ? value.flatMap(relatedIn) : relatedIn(value)

/** References as they are sent: a list, or the only one. */
export function idsToSend(references: readonly { readonly id: string }[], many: boolean): unknown {
  const ids = references.map(({ id }) => id)
  return many ? ids : (ids[0] ?? null)
}

export const printNames = (names: readonly string[], many: boolean): string =>
  escapeGuarded(many ? printList(names) : (names[0] ?? ''))

export const relationTraits: KindTraits<'relation'> = {
  ...EDITED_IN_CELLS,
  label: t('Linked record'),
  hint: t('Links to records in another collection'),
  Icon: IconLink,
  read: readRelated,
  toWire: (value, { options }) => idsToSend(readRelated(value), options.many),
  copyText: (value, { options }) =>
    printNames(
      readRelated(value).map(({ id, title }) => (title === '' ? id : title)),
      options.many,
    ),
}
