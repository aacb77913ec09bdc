import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { GridSource } from '#web/kit/grid/grid-source.ts'
import { later, useLater } from '#web/kit/later.ts'
import type { RecordLine } from '../record-line.ts'
import type { Dressed, DressedList, Dressing } from './dressing-props.ts'
import { hasRows } from './use-has-rows.ts'

/** A list can be read before it is summed up and coloured. */
const dressingPart = later(() => import('./list-dressing.tsx'))

const UNDRESSED: Dressed = { dressing: {}, areHeadsDue: true }

/** Room is kept for what is on its way. */
const AWAITED: Dressing = { footer: {} }

/** A list as it is shown: its rows, what comes on top of them, and the element that works that out. */
type Worn = {
  readonly source: GridSource<RecordLine>
  readonly dressing: Dressing
  readonly element: ReactNode
}

/** What comes on top of a list. The first rows wait for the heads of their groups, which would push them down. */
export function useDressing(list: DressedList): Worn {
  const { group, look } = list
  const hasFooter = Object.keys(look.footers).length > 0
  const isWanted = group !== null || hasFooter || look.colors.length > 0
  const { ListDressing } = useLater(dressingPart, isWanted) ?? {}
  const isMissing = useMissing(isWanted)
  const [dressed, setDressed] = useState(UNDRESSED)
  const isThere = isWanted && ListDressing !== undefined
  const areHeadsDue = group !== null && !isMissing && (!isThere || dressed.areHeadsDue)
  return {
    source: useFirstRowsHeld(list.source, areHeadsDue),
    dressing: isThere ? dressed.dressing : hasFooter ? AWAITED : UNDRESSED.dressing,
    element: isThere && <ListDressing list={list} onDressed={setDressed} />,
  }
}

/** Whether the part could not be fetched: then the list is read without it. */
function useMissing(isWanted: boolean): boolean {
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (isWanted) void dressingPart.load().then(undefined, () => setMissing(true))
  }, [isWanted])
  return isMissing
}

/** The rows, or as long as none were shown and something must come first, the room for them. */
function useFirstRowsHeld(source: GridSource<RecordLine>, isHeld: boolean): GridSource<RecordLine> {
  const [wasShown, setShown] = useState(false)
  if (!wasShown && !isHeld && hasRows(source)) setShown(true)
  const isDue = isHeld && !wasShown
  return useMemo(() => (isDue ? roomFor(source) : source), [isDue, source])
}

function roomFor(source: GridSource<RecordLine>): GridSource<RecordLine> {
  if (source.kind === 'window') return { ...source, rowAt: () => undefined }
  return source.rows.length === 0 ? source : { ...source, rows: [], loadingRows: source.rows.length }
}
