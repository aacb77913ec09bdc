import type { ViewBody } from '#api/views.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import type { ListLook, SavedLook } from './grid-layout.ts'
import { columnIdOf, fieldNameOf } from './record-columns.tsx'

/** How a saved view arranges the list: fields stand there by their names, and in the grid by their ids. */
export function lookOfView(collection: KnownCollection, { id, layout, look }: ViewBody): SavedLook {
  const ids = (names: readonly string[]) => names.map((name) => columnIdOf(collection, name))
  return {
    id,
    look: {
      layout: {
        order: ids(layout.order),
        hidden: ids(layout.hidden),
        widthsPx: Object.fromEntries(
          Object.entries(layout.widthsPx).map(([name, width]) => [columnIdOf(collection, name), width]),
        ),
        ...(layout.frozen.length > 0 && { frozen: ids(layout.frozen) }),
      },
      density: look.density,
      areFiltersShown: look.areFiltersShown,
    },
  }
}

/** An arrangement as a view keeps it; fields that are gone since are not in it. What no list shows stays as the view has it. */
export function lookToSave(
  collection: KnownCollection,
  { layout, density, areFiltersShown }: ListLook,
  view: ViewBody | undefined,
) {
  const known = new Set([...collection.fields.map(({ id }) => id), ...TIMES])
  const names = (ids: readonly string[] = []) =>
    ids.flatMap((id) => (known.has(id) ? [fieldNameOf(collection, id)] : []))
  const widths = Object.entries(layout.widthsPx).filter(([id]) => known.has(id))
  return {
    layout: {
      order: names(layout.order),
      hidden: names(layout.hidden),
      frozen: names(layout.frozen),
      widthsPx: Object.fromEntries(widths.map(([id, width]) => [fieldNameOf(collection, id), Math.round(width)])),
      footers: view?.layout.footers ?? {},
    },
    look: {
      density,
      areFiltersShown,
      isWrapped: view?.look.isWrapped ?? false,
      colors: view?.look.colors ?? [],
    },
  }
}

/** What every record has besides its fields, as far as the grid shows it. */
const TIMES = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy']
