import type { Field } from '#domain/fields/field.ts'
import { titleFieldOf, type TypedCollection } from '#web/shared/fields/typed-collection.ts'

/**
 * Kinds whose values need more space than a cell has, so their columns come last unless the user has arranged the
 * columns.
 */
const WIDE_KINDS: ReadonlySet<Field['kind']> = new Set(['files', 'long-text', 'rich-text', 'json'])

export const isWide = ({ kind }: Pick<Field, 'kind'>): boolean => WIDE_KINDS.has(kind)

/** Fields in column order, with the title first unless the user has arranged the columns. */
export function columnFields(collection: TypedCollection): readonly Field[] {
  const title = titleFieldOf(collection) ?? collection.fields[0]
  const others = collection.fields.filter((field) => field !== title)
  return [
    ...(title ? [title] : []),
    ...others.filter((field) => !isWide(field)),
    ...others.filter((field) => isWide(field)),
  ]
}

export type Side = 'before' | 'after'

/** The position of a new field whose column is inserted next to another column; the title column is always first. */
export function positionBeside(collection: TypedCollection, { id }: Field, side: Side): number {
  const { fields } = collection
  const [title, second] = columnFields(collection)
  if (id !== title?.id) return fields.findIndex((field) => field.id === id) + (side === 'after' ? 1 : 0)
  return second ? fields.indexOf(second) : fields.length
}
