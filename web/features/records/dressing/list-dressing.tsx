import { useLayoutEffect, useMemo } from 'react'
import { usePaint } from '../colours/use-paint.ts'
import { useFooter } from '../footer/use-footer.tsx'
import { useGroups } from '../groups/use-groups.ts'
import type { Dressed, DressedList } from './dressing-props.ts'

/** Works out what comes on top of a list, and tells it: it draws nothing itself, so that the list need not wait for it. */
export function ListDressing({
  list,
  onDressed,
}: {
  readonly list: DressedList
  readonly onDressed: (dressed: Dressed) => void
}) {
  const { grouping, areHeadsDue } = useGroups(list)
  const footer = useFooter(list)
  const paintOf = usePaint(list)
  const dressed = useMemo<Dressed>(
    () => ({
      dressing: { ...(grouping && { grouping }), ...(footer && { footer }), ...(paintOf && { paintOf }) },
      areHeadsDue,
    }),
    [grouping, footer, paintOf, areHeadsDue],
  )
  // Before the browser paints, so that no list is seen without what belongs to it.
  useLayoutEffect(() => onDressed(dressed), [onDressed, dressed])
  return null
}
