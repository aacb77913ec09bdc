import type { ViewBody } from '#api/views.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { hiddenColumns, type ListSettings, type SavedListSettings } from '#web/views/listing/list-settings.ts'
import { columnIdOf, fieldNameOf } from './record-columns.tsx'

/** How a saved view arranges the list: fields stand there by their names, and in the grid by their ids. */
export function settingsOfView(collection: TypedCollection, { id, layout, look }: ViewBody): SavedListSettings {
  const ids = (names: readonly string[]) => names.map((name) => columnIdOf(collection, name))
  const idsOf = <Value>(byName: { readonly [name: string]: Value }) =>
    Object.fromEntries(Object.entries(byName).map(([name, value]) => [columnIdOf(collection, name), value]))
  return {
    id,
    look: {
      layout: {
        order: ids(layout.order),
        hidden: hiddenColumns(layout.order, ids(layout.hidden)),
        widthsPx: idsOf(layout.widthsPx),
        ...(layout.frozen.length > 0 && { frozen: ids(layout.frozen) }),
      },
      density: look.density,
      areFiltersShown: look.areFiltersShown,
      isWrapped: look.isWrapped,
      footers: idsOf(layout.footers),
      colors: look.colors.map((color) => ({
        ...color,
        field: color.field === null ? null : columnIdOf(collection, color.field),
      })),
    },
  }
}

/** An arrangement as a view keeps it; fields that are gone since are not in it. */
export function settingsToSave(collection: TypedCollection, { layout, footers, colors, ...look }: ListSettings) {
  const known = new Set([...collection.fields.map(({ id }) => id), ...TIMES])
  const names = (ids: readonly string[] = []) =>
    ids.flatMap((id) => (known.has(id) ? [fieldNameOf(collection, id)] : []))
  const byName = <Value>(byId: { readonly [id: string]: Value }) =>
    Object.entries(byId).flatMap(([id, value]) =>
      known.has(id) ? [[fieldNameOf(collection, id), value] as const] : [],
    )
  return {
    layout: {
      order: names(layout.order),
      hidden: names(layout.hidden),
      frozen: names(layout.frozen),
      widthsPx: Object.fromEntries(byName(layout.widthsPx).map(([name, width]) => [name, Math.round(width)])),
      footers: Object.fromEntries(byName(footers)),
    },
    look: {
      ...look,
      colors: colors.flatMap((color) => {
        if (color.field === null) return [color]
        return names([color.field]).map((field) => ({ ...color, field }))
      }),
    },
  }
}

/** What every record has besides its fields, as far as the grid shows it. */
const TIMES = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy']
