import type { IndexBody } from '#api/indexes.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'

/** What an index is good for, in a sentence: “Filtered by Status, sorted by Amount (descending)”. */
export function indexInWords(
  { finds, sorts, groups, reads }: Pick<IndexBody, 'finds' | 'sorts' | 'groups' | 'reads'>,
  collection: KnownCollection,
): string {
  const label = (name: string): string => labelOf(name, collection)
  const parts = [
    ...(finds.length > 0 ? [`filtered by ${listed(finds.map(label))}`] : []),
    ...(groups.length > 0 ? [`grouped by ${listed(groups.map(label))}`] : []),
    ...(sorts.length > 0 ? [`sorted by ${listed(sorts.map((sort) => sortInWords(sort, label)))}`] : []),
    ...(reads.length > 0 ? [`with ${listed(reads.map(label))}`] : []),
  ]
  const sentence = parts.join(', ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function sortInWords(sort: string, label: (name: string) => string): string {
  return sort.startsWith('-') ? `${label(sort.slice(1))} (descending)` : label(sort)
}

const SYSTEM_LABELS: { readonly [name: string]: string } = {
  createdAt: 'Created',
  createdBy: 'Created by',
  updatedAt: 'Changed',
  updatedBy: 'Changed by',
}

const labelOf = (name: string, { fields }: KnownCollection): string =>
  fields.find((field) => field.name === name)?.label ?? SYSTEM_LABELS[name] ?? name

const listed = (words: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(words)
