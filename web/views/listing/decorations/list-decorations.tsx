import { useLayoutEffect, useMemo } from 'react'
import { useConditionalColors } from '#web/views/listing/conditional-colors/use-conditional-colors.ts'
import { useSummaryBar } from '#web/views/listing/summaries/use-summary-bar.tsx'
import { useGroups } from '#web/views/listing/groups/use-groups.ts'
import type { DecorationsState, DecoratedList } from './decoration-types.ts'

/** Works out what comes on top of a list, and tells it: it draws nothing itself, so that the list need not wait for it. */
export function ListDecorations({
  list,
  onDressed,
}: {
  readonly list: DecoratedList
  readonly onDressed: (dressed: DecorationsState) => void
}) {
  const { grouping, areHeadsDue } = useGroups(list)
  const footer = useSummaryBar(list)
  const paintOf = useConditionalColors(list)
  const dressed = useMemo<DecorationsState>(
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
