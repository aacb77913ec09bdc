import { useCallback, useState } from 'react'
import { OPTION_COLORS, type OptionColor } from '#domain/fields/field.ts'
import { PERSON_FIELDS } from '#domain/fields/system-fields.ts'
import { sameJson } from '#domain/shared/json.ts'
import { readStoredJson, removeStored, setStored } from '#web/data/storage/browser-storage.ts'
import { DEFAULT_LAYOUT, type GridDensity, type GridLayout, ROW_HEIGHTS_PX } from '#web/ui/grid/columns/grid-column.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { ViewBody } from '#api/views.ts'
import { columnIdOf, fieldNameOf } from '#web/views/grid/record-columns.tsx'

/** Records that fit a filter stand out in a colour: whole, or in one column. */
export type ColorRule = {
  readonly filter: string
  readonly color: OptionColor
  /** The column by its id; null: the whole row. */
  readonly field: string | null
}

/** How a person has arranged the list of a collection, in this browser. */
export type ListSettings = {
  readonly layout: GridLayout
  readonly density: GridDensity
  readonly areFiltersShown: boolean
  readonly isWrapped: boolean
  /** What figure stands below a column, by its id. */
  readonly footers: { readonly [columnId: string]: string }
  /** The first that fits decides. */
  readonly colors: readonly ColorRule[]
}

/** The columns of system fields are hidden at first. */
export const DEFAULT_LIST_SETTINGS: ListSettings = {
  layout: { ...DEFAULT_LAYOUT, hidden: ['createdAt', 'updatedAt', ...PERSON_FIELDS] },
  density: 'normal',
  areFiltersShown: false,
  isWrapped: false,
  footers: {},
  colors: [],
}

/** What is hidden: the columns of people, too, until the order names them. Arrangements kept before these columns existed do not. */
const hiddenColumns = (order: readonly string[], hidden: readonly string[]): readonly string[] => [
  ...hidden,
  ...PERSON_FIELDS.filter((id) => !order.includes(id) && !hidden.includes(id)),
]

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(isString) : [])

const entries = <Value>(value: unknown, is: (one: unknown) => one is Value): { readonly [key: string]: Value } =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).flatMap(([id, one]) => (is(one) ? [[id, one]] : [])))

const isNumber = (value: unknown): value is number => typeof value === 'number'
const isString = (value: unknown): value is string => typeof value === 'string'

const colorRules = (value: unknown): readonly ColorRule[] =>
  (Array.isArray(value) ? value.filter(isObject) : []).flatMap(({ filter, color: name, field }) => {
    const color = OPTION_COLORS.find((known) => known === name)
    return isString(filter) && color ? [{ filter, color, field: isString(field) ? field : null }] : []
  })

/** Reads what was kept; what makes no sense is as at first. */
export function parseListSettings(kept: unknown): ListSettings {
  if (!isObject(kept) || !isObject(kept['layout'])) return DEFAULT_LIST_SETTINGS
  const { order, hidden, widthsPx, frozen } = kept['layout']
  const density = Object.keys(ROW_HEIGHTS_PX).find((known): known is GridDensity => known === kept['density'])
  return {
    layout: {
      order: strings(order),
      hidden: hiddenColumns(strings(order), strings(hidden)),
      widthsPx: entries(widthsPx, isNumber),
      ...(Array.isArray(frozen) && { frozen: strings(frozen) }),
    },
    density: density ?? DEFAULT_LIST_SETTINGS.density,
    areFiltersShown: kept['areFiltersShown'] === true,
    isWrapped: kept['isWrapped'] === true,
    footers: entries(kept['footers'], isString),
    colors: colorRules(kept['colors']),
  }
}

/** How a saved view arranges the list; the same object as long as the view is the same. */
export type SavedListSettings = { readonly id: string; readonly look: ListSettings }

const readOwn = (key: string): ListSettings | undefined => {
  const kept = readStoredJson(key)
  return kept === null ? undefined : parseListSettings(kept)
}

/**
 * The arrangement of a collection's list: of the view in force, and without one, or where somebody has arranged it
 * otherwise since, as it is kept in this browser by the ids of fields.
 */
export function useListSettings(collectionId: string, saved?: SavedListSettings) {
  const key = saved ? `grid.${collectionId}.${saved.id}` : `grid.${collectionId}`
  const first = saved?.look ?? DEFAULT_LIST_SETTINGS
  const [held, setHeld] = useState(() => ({ key, own: readOwn(key) }))
  // Another collection or view, another arrangement.
  if (held.key !== key) setHeld({ key, own: readOwn(key) })

  const change = useCallback(
    (part: Partial<ListSettings>) =>
      setHeld((before) => {
        const own = { ...(before.own ?? first), ...part }
        setStored(before.key, JSON.stringify(own))
        return { ...before, own }
      }),
    [first],
  )
  const reset = useCallback(
    () =>
      setHeld((before) => {
        removeStored(before.key)
        return { ...before, own: undefined }
      }),
    [],
  )
  return {
    look: held.own ?? first,
    change,
    reset,
    isChanged: held.own !== undefined && !isSameSettings(held.own, first),
  }
}

/** Whether two arrangements come to the same; the order in which columns were hidden says nothing. */
function isSameSettings(left: ListSettings, right: ListSettings): boolean {
  const [one, other] = [left, right].map(({ layout, ...look }) => {
    const { hidden, frozen = [] } = layout
    return JSON.parse(JSON.stringify({ ...look, layout: { ...layout, frozen, hidden: hidden.toSorted() } }))
  })
  return sameJson(one, other)
}

/** A list, how it is shown, and the way to change that. */
export type ListSettingsProps = {
  readonly collection: TypedCollection
  readonly look: ListSettings
  readonly onLook: (look: Partial<ListSettings>) => void
}

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
