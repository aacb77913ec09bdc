import { lazy, Suspense } from 'react'
import { IconArrowsSort } from '#web/kit/icons/icon-arrows-sort.ts'
import type { SortPanelProps } from './sort-panel.tsx'
import { ToolPanel } from './tool-panel.tsx'

/** Fetched when it is first opened: a click on a header sorts without it. */
const SortPanel = lazy(() => import('./sort-panel.tsx').then((loaded) => ({ default: loaded.SortPanel })))

/** The order of a list behind one button, which tells by how many fields it is sorted. */
export function SortMenu(props: SortPanelProps) {
  const { sort } = props
  return (
    <ToolPanel
      label="Sort"
      buttonLabel={sort.length === 0 ? 'Sort' : `Sort · ${sort.length}`}
      icon={<IconArrowsSort size={16} stroke={1.5} />}
      isActive={sort.length > 0}
      className="sort-panel"
    >
      <Suspense>
        <SortPanel {...props} />
      </Suspense>
    </ToolPanel>
  )
}
