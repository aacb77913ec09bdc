import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

type Values = { readonly [field: string]: unknown }

/** Whether a field is there for whoever reads this record: in some it may not be. */
export const isThere = (name: string, values: Values): boolean => Object.hasOwn(values, name)

/** Names of the fields of a record that its reader never changes, or not in this one, which they do not see whole. */
export function readOnlyFieldNames({ closed = {}, fields }: TypedCollection, values: Values): ReadonlySet<string> {
  const names = fields.map(({ name }) => name)
  return new Set(names.filter((name) => closed[name]?.update === 'wholly' || !isThere(name, values)))
}
