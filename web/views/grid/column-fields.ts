import type { Field } from '#domain/fields/field.ts'
import { titleFieldOf, type TypedCollection } from '#web/shared/fields/typed-collection.ts'

/**
 * Shown after the other columns unless the user has arranged them, because a cell shows only a small part of these
 * values.
 */
const WIDE_KINDS: ReadonlySet<Field['kind']> = new Set(['files', 'long-text', 'rich-text', 'json'])

export const isWide = ({ kind }: Pick<Field, 'kind'>): boolean => WIDE_KINDS.has(kind)

/** The fields in column order with the title first, unless the user has arranged the columns. */
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

/** The position of a new field whose column is next to another one; the title column always comes first. */
export function positionBeside(collection: TypedCollection, { id }: Field, side: Side): number {
  const { fields } = collection
  const [title, second] = columnFields(collection)
  if (id !== title?.id) return fields.findIndex((field) => field.id === id) + (side === 'after' ? 1 : 0)
  return second ? fields.indexOf(second) : fields.length
}
