import { useLayoutEffect, useMemo } from 'react'
import { usePaint } from '../colours/use-paint.ts'
import { useFooter } from '../footer/use-footer.tsx'
import { useGroups } from '../groups/use-groups.ts'
import type { DressedList, Dressing } from './dressing-props.ts'

/** Works out what comes on top of a list, and tells it: it draws nothing itself, so that the list need not wait for it. */
export function ListDressing({
  list,
  onDressed,
}: {
  readonly list: DressedList
  readonly onDressed: (dressing: Dressing) => void
}) {
  const grouping = useGroups(list)
  const footer = useFooter(list)
  const paintOf = usePaint(list)
  const dressing = useMemo<Dressing>(
    () => ({ ...(grouping && { grouping }), ...(footer && { footer }), ...(paintOf && { paintOf }) }),
    [grouping, footer, paintOf],
  )
  // Before the browser paints, so that no list is seen without what belongs to it.
  useLayoutEffect(() => onDressed(dressing), [onDressed, dressing])
  return null
}
