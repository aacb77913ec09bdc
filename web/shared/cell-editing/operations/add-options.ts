import { changeField } from '#api/collections.ts'
import { nextColor } from '#domain/collections/check-field.ts'
import type { SelectKind, Field } from '#domain/fields/field.ts'
import { findOption } from '#domain/fields/select.ts'
import { foldText } from '#domain/shared/fold-text.ts'
import { parseList } from '#domain/shared/list-text.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { CellContext } from '#web/shared/cell-editing/cell-context.ts'

/** Words in a column of choices that none of these is called. */
export type UnknownOptions = { readonly field: Field<SelectKind>; readonly names: readonly string[] }

/** The words of a text that are no choice of a field. */
export function unknownOptionsIn(field: Field<SelectKind>, text: string): readonly string[] {
  const names = field.kind === 'multi-select' ? parseList(text) : [text.trim()]
  return names.filter((name) => name !== '' && findOption(field, name) === undefined)
}

/** Every word once, whatever its case: two choices of a field cannot differ by that alone. */
export const uniqueNames = (names: readonly string[]): readonly string[] => [
  ...new Map(names.map((name) => [foldText(name), name])).values(),
]

/** A list knows its new definition within so many frames. */
const MAX_FRAMES = 60

/** Adds choices to their fields, for whoever manages the collection; answers the collection once the list knows it. */
export async function addOptions(
  worldNow: () => CellContext,
  unknown: readonly UnknownOptions[],
): Promise<TypedCollection> {
  const { queryClient, collection } = worldNow()
  for (const { field, names } of unknown) {
    const { choices } = field.options
    const added = names.map((name, at) => ({ name, color: nextColor(choices.length + at) }))
    const options = { choices: [...choices, ...added] }
    await call(changeField, { params: { collection: collection.id, field: field.id }, body: { options } })
  }
  const collections = await queryClient.fetchQuery({ ...collectionsQuery, staleTime: 0 })
  const version = collections.find(({ id }) => id === collection.id)?.version ?? 0
  for (let frame = 0; frame < MAX_FRAMES && worldNow().collection.version < version; frame += 1)
    await new Promise(requestAnimationFrame)
  return worldNow().collection
}
