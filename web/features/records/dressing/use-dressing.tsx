import { type ReactNode, useState } from 'react'
import { later, useLater } from '#web/kit/later.ts'
import type { DressedList, Dressing } from './dressing-props.ts'

/** A list can be read before it is grouped, summed up and coloured. */
const dressingPart = later(() => import('./list-dressing.tsx'))

const UNDRESSED: Dressing = {}

/** Room is kept for what is on its way. */
const AWAITED: Dressing = { footer: {} }

/** What comes on top of a list, and the element that works it out. */
export function useDressing(list: DressedList): { readonly dressing: Dressing; readonly element: ReactNode } {
  const { group, look } = list
  const hasFooter = Object.keys(look.footers).length > 0
  const isWanted = group !== null || hasFooter || look.colors.length > 0
  const { ListDressing } = useLater(dressingPart, isWanted) ?? {}
  const [dressing, setDressing] = useState(UNDRESSED)
  const isThere = isWanted && ListDressing !== undefined
  return {
    dressing: isThere ? dressing : hasFooter ? AWAITED : UNDRESSED,
    element: isThere && <ListDressing list={list} onDressed={setDressing} />,
  }
}
