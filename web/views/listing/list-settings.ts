import { useCallback, useState } from 'react'
import { OPTION_COLORS, type OptionColor } from '#domain/fields/field.ts'
import { PERSON_FIELDS } from '#domain/fields/system-fields.ts'
import { DEFAULT_DISPLAY, readDisplay, renameDisplay, type ViewDisplay } from '#domain/views/view-kinds.ts'
import { sameJson } from '#domain/shared/json.ts'
import { readStoredJson, removeStored, setStored } from '#web/data/storage/browser-storage.ts'
import { DEFAULT_LAYOUT, type GridDensity, type GridLayout, ROW_HEIGHTS_PX } from '#web/ui/grid/columns/grid-column.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { ViewBody } from '#api/views.ts'
import { columnIdOf, fieldNameOf } from '#web/views/grid/record-columns.tsx'

export type ColorRule = {
  readonly filter: string
  readonly color: OptionColor
  /** Column ID; null for the whole row. */
  readonly field: string | null
}

export type ListSettings = {
  /** Identifies fields by column ID. */
  readonly display: ViewDisplay
  readonly layout: GridLayout
  readonly density: GridDensity
  readonly areFiltersShown: boolean
  readonly isWrapped: boolean
  readonly footers: { readonly [columnId: string]: string }
  /** The first matching rule applies. */
  readonly colors: readonly ColorRule[]
}

export const DEFAULT_LIST_SETTINGS: ListSettings = {
  display: DEFAULT_DISPLAY,
  layout: { ...DEFAULT_LAYOUT, hidden: ['createdAt', 'updatedAt', ...PERSON_FIELDS] },
  density: 'normal',
  areFiltersShown: false,
  isWrapped: false,
  footers: {},
  colors: [],
}

/** Hidden columns, including “created by” and “updated by” if the order doesn't contain them, as in older layouts. */
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

export function parseListSettings(kept: unknown): ListSettings {
  if (!isObject(kept) || !isObject(kept['layout'])) return DEFAULT_LIST_SETTINGS
  const { order, hidden, widthsPx, frozen } = kept['layout']
  const density = Object.keys(ROW_HEIGHTS_PX).find((known): known is GridDensity => known === kept['density'])
  return {
    display: readDisplay(kept['display']),
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

/** The settings of a saved view; the same object as long as the view is unchanged. */
export type SavedListSettings = { readonly id: string; readonly look: ListSettings }

const readOwn = (key: string): ListSettings | undefined => {
  const kept = readStoredJson(key)
  return kept === null ? undefined : parseListSettings(kept)
}

/** The settings of a collection's list, from the active view or as stored in this browser. */
export function useListSettings(collectionId: string, saved?: SavedListSettings) {
  const key = saved ? `grid.${collectionId}.${saved.id}` : `grid.${collectionId}`
  const first = saved?.look ?? DEFAULT_LIST_SETTINGS
  const [held, setHeld] = useState(() => ({ key, own: readOwn(key) }))
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

/** Whether two list settings are equivalent, ignoring the order of hidden columns. */
function isSameSettings(left: ListSettings, right: ListSettings): boolean {
  const [one, other] = [left, right].map(({ layout, ...look }) => {
    const { hidden, frozen = [] } = layout
    return JSON.parse(JSON.stringify({ ...look, layout: { ...layout, frozen, hidden: hidden.toSorted() } }))
  })
  return sameJson(one, other)
}

export type ListSettingsProps = {
  readonly collection: TypedCollection
  readonly look: ListSettings
  readonly onLook: (look: Partial<ListSettings>) => void
}

/** Converts the settings of a saved view: views identify fields by name, the grid by ID. */
export function settingsOfView(
  collection: TypedCollection,
  { id, display, layout, look }: ViewBody,
): SavedListSettings {
  const ids = (names: readonly string[]) => names.map((name) => columnIdOf(collection, name))
  const idsOf = <Value>(byName: { readonly [name: string]: Value }) =>
    Object.fromEntries(Object.entries(byName).map(([name, value]) => [columnIdOf(collection, name), value]))
  return {
    id,
    look: {
      display: renameDisplay(display, (name) => columnIdOf(collection, name)),
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

/** Converts list settings to the form stored in a view, without deleted fields. */
export function settingsToSave(
  collection: TypedCollection,
  { display, layout, footers, colors, ...look }: ListSettings,
) {
  const known = new Set([...collection.fields.map(({ id }) => id), ...TIMES])
  const nameOf = (id: string) => (known.has(id) ? fieldNameOf(collection, id) : undefined)
  const names = (ids: readonly string[] = []) => ids.flatMap((id) => nameOf(id) ?? [])
  const byName = <Value>(byId: { readonly [id: string]: Value }) =>
    Object.entries(byId).flatMap(([id, value]) =>
      known.has(id) ? [[fieldNameOf(collection, id), value] as const] : [],
    )
  return {
    display: renameDisplay(display, nameOf),
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

const TIMES = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy']
