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

/** What comes on top of a list. Its first rows and the heads of their groups wait for each other: neither pushes the other down. */
export function useDressing(list: DressedList): Worn {
  const { group, look } = list
  const hasFooter = Object.keys(look.footers).length > 0
  const isWanted = group !== null || hasFooter || look.colors.length > 0
  const { ListDressing } = useLater(dressingPart, isWanted) ?? {}
  const isMissing = useMissing(isWanted)
  const [dressed, setDressed] = useState(UNDRESSED)
  const isThere = isWanted && ListDressing !== undefined
  const areHeadsDue = group !== null && !isMissing && (!isThere || dressed.areHeadsDue)
  const isComplete = useCompleteOnce(list.source, areHeadsDue)
  const dressing = isThere ? dressed.dressing : hasFooter ? AWAITED : UNDRESSED.dressing
  return {
    source: useMemo(() => (isComplete ? list.source : roomFor(list.source)), [isComplete, list.source]),
    dressing: isComplete ? dressing : withoutHeads(dressing),
    element: isThere && <ListDressing list={list} onDressed={setDressed} />,
  }
}

const withoutHeads = ({ footer, paintOf }: Dressing): Dressing => ({
  ...(footer && { footer }),
  ...(paintOf && { paintOf }),
})

/** Whether the part could not be fetched: then the list is read without it. */
function useMissing(isWanted: boolean): boolean {
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (isWanted) void dressingPart.load().then(undefined, () => setMissing(true))
  }, [isWanted])
  return isMissing
}

/** Whether rows were there and nothing that must come with them was due, once. */
function useCompleteOnce(source: GridSource<RecordLine>, isMoreDue: boolean): boolean {
  const [wasComplete, setComplete] = useState(false)
  const isComplete = wasComplete || (!isMoreDue && hasRows(source))
  if (isComplete && !wasComplete) setComplete(true)
  return isComplete
}

/** Nothing but the room for the rows. */
function roomFor(source: GridSource<RecordLine>): GridSource<RecordLine> {
  if (source.kind === 'window') return { ...source, rowAt: () => undefined }
  return source.rows.length === 0 ? source : { ...source, rows: [], loadingRows: source.rows.length }
}
