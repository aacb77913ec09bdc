import { type ReactNode, useState } from 'react'
import { later, useLater } from '#web/kit/later.ts'
import type { DressedList, Dressing } from './dressing-props.ts'

/** A list can be read before it is grouped, summed up and coloured. */
const dressingPart = later(() => import('./list-dressing.tsx'))

const UNDRESSED: Dressing = {}

/** What comes on top of a list, and the element that works it out. */
export function useDressing(list: DressedList): { readonly dressing: Dressing; readonly element: ReactNode } {
  const { group } = list
  const isWanted = group !== null
  const { ListDressing } = useLater(dressingPart, isWanted) ?? {}
  const [dressing, setDressing] = useState(UNDRESSED)
  const isThere = isWanted && ListDressing !== undefined
  return {
    dressing: isThere ? dressing : UNDRESSED,
    element: isThere && <ListDressing list={list} onDressed={setDressing} />,
  }
}
