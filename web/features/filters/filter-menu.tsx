import { lazy, Suspense } from 'react'
import { IconFilter2 } from '#web/kit/icons/icon-filter-2.ts'
import type { FilterPanelProps } from './filter-panel.tsx'
import { conditionCount, treeOf } from './filter-tree.ts'
import { ToolPanel } from './tool-panel.tsx'

/** Fetched when it is first opened: a list can be read without it. */
const FilterPanel = lazy(() => import('./filter-panel.tsx').then((loaded) => ({ default: loaded.FilterPanel })))

/** The filter of a list behind one button, which tells how many conditions it has. */
export function FilterMenu(props: FilterPanelProps) {
  const { text } = props
  const tree = treeOf(text)
  const count = tree === undefined ? '?' : conditionCount(tree)
  return (
    <ToolPanel
      label="Filter"
      buttonLabel={text === '' ? 'Filter' : `Filter · ${count}`}
      icon={<IconFilter2 size={16} stroke={1.5} />}
      isActive={text !== ''}
      className="filter-panel"
    >
      <Suspense>
        <FilterPanel {...props} />
      </Suspense>
    </ToolPanel>
  )
}
