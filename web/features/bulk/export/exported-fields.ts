import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridLayout } from '#web/ui/grid/columns/grid-column.ts'
import { fieldNameOf, recordColumns } from '#web/views/grid/record-columns.tsx'

export function exportedFields(
  collection: TypedCollection,
  { order, hidden }: Pick<GridLayout, 'order' | 'hidden'>,
  { hasIds, hasAll }: { readonly hasIds: boolean; readonly hasAll: boolean },
): readonly string[] {
  const placeOf = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  const columns = recordColumns(collection, undefined)
  const [title, others] = [columns.filter(({ isTitle }) => isTitle), columns.filter(({ isTitle }) => !isTitle)]
  const shown = others.filter(({ id }) => hasAll || !hidden.includes(id))
  const inOrder = [...title, ...shown.toSorted((left, right) => placeOf(left.id) - placeOf(right.id))]
  return [...(hasIds ? ['id'] : []), ...inOrder.map(({ id }) => fieldNameOf(collection, id))]
}
