import type { IndexBody } from '#api/indexes.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { listText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'

/** “Filtered by Status, sorted by Amount (descending)”. */
export function describeIndex(
  { finds, sorts, groups, reads }: Pick<IndexBody, 'finds' | 'sorts' | 'groups' | 'reads'>,
  collection: TypedCollection,
): string {
  const label = (name: string): string => labelOf(name, collection)
  const parts = [
    ...(finds.length > 0 ? [t('filtered by {listed}', { listed: listText(finds.map(label)) })] : []),
    ...(groups.length > 0 ? [t('grouped by {listed}', { listed: listText(groups.map(label)) })] : []),
    ...(sorts.length > 0
      ? [t('sorted by {listed}', { listed: listText(sorts.map((sort) => describeSort(sort, label))) })]
      : []),
    ...(reads.length > 0 ? [t('with {listed}', { listed: listText(reads.map(label)) })] : []),
  ]
  const sentence = parts.join(', ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function describeSort(sort: string, label: (name: string) => string): string {
  return sort.startsWith('-') ? t('{field} (descending)', { field: label(sort.slice(1)) }) : label(sort)
}

const SYSTEM_LABELS: { readonly [name: string]: string } = {
  createdAt: t('Created'),
  createdBy: t('Created by'),
  updatedAt: t('Last edited'),
  updatedBy: t('Last edited by'),
}

const labelOf = (name: string, { fields }: TypedCollection): string =>
  fields.find((field) => field.name === name)?.label ?? SYSTEM_LABELS[name] ?? name
