import { useCallback, useState } from 'react'
import { keep, readKeptJson } from '#web/client/browser-storage.ts'
import { DEFAULT_LAYOUT, type GridDensity, type GridLayout, ROW_HEIGHTS_PX } from '#web/kit/grid/grid-column.ts'

/** How a person has arranged the list of a collection, in this browser. */
export type ListLook = { readonly layout: GridLayout; readonly density: GridDensity; readonly areFiltersShown: boolean }

/** The columns of time stand ready but out of sight. */
export const FIRST_LOOK: ListLook = {
  layout: { ...DEFAULT_LAYOUT, hidden: ['createdAt', 'updatedAt'] },
  density: 'normal',
  areFiltersShown: false,
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

function widths(value: unknown): GridLayout['widthsPx'] {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, width]) => (typeof width === 'number' ? [[id, width]] : [])),
  )
}

/** Reads what was kept; what makes no sense is as at first. */
export function readLook(kept: unknown): ListLook {
  if (!isObject(kept) || !isObject(kept['layout'])) return FIRST_LOOK
  const { order, hidden, widthsPx } = kept['layout']
  const density = Object.keys(ROW_HEIGHTS_PX).find((known): known is GridDensity => known === kept['density'])
  return {
    layout: { order: strings(order), hidden: strings(hidden), widthsPx: widths(widthsPx) },
    density: density ?? FIRST_LOOK.density,
    areFiltersShown: kept['areFiltersShown'] === true,
  }
}

/** The arrangement of a collection's list, kept in this browser by the ids of its fields. */
export function useListLook(collectionId: string) {
  const key = `grid.${collectionId}`
  const [held, setHeld] = useState(() => ({ key, look: readLook(readKeptJson(key)) }))
  // Another collection, another arrangement.
  if (held.key !== key) setHeld({ key, look: readLook(readKeptJson(key)) })

  const change = useCallback(
    (part: Partial<ListLook>) =>
      setHeld((before) => {
        const look = { ...before.look, ...part }
        keep(before.key, JSON.stringify(look))
        return { ...before, look }
      }),
    [],
  )
  return { look: held.look, change }
}
