import { useEffect, useEffectEvent, useState } from 'react'
import { activeListFilter } from '#web/data/storage/active-list-filter.ts'
import { IconFilter2 } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { usePopup } from '#web/ui/popup/use-popup.ts'
import { t } from '#web/i18n/t.ts'
import type { FilterForm, FilterPanelProps } from './filter-panel.tsx'
import { ToolPanel } from '#web/ui/popup/tool-panel.tsx'
import type { ColumnFilterProps } from './column-filter.tsx'

const panel = lazyModule(() => import('./filter-panel.tsx'))

type FilterMenuProps = Pick<FilterPanelProps, 'collection' | 'text' | 'onChange' | 'refusal'>

export function FilterMenu(props: FilterMenuProps) {
  const { text } = props
  const popup = usePopup('dialog')
  const [form, setForm] = useState<FilterForm>('lines')
  // Invalid text is kept while the panel is closed.
  const [kept, setKept] = useState<FilterPanelProps['kept']>()
  const { FilterPanel, countConditions } = useLazyModule(panel, popup.isOpen || text !== '') ?? {}
  const take = useEffectEvent((given: string) => {
    setKept({ of: text, typed: bothOf(text, given), isGiven: true })
    setForm('text')
    popup.setOpen(true)
  })
  useEffect(() => activeListFilter.offer((given) => take(given)), [])
  return (
    <ToolPanel
      popup={popup}
      command="filter"
      label={t('Filter')}
      state={text === '' ? undefined : (countConditions?.(text) ?? '…')}
      icon={IconFilter2}
      className="filter-panel"
    >
      {FilterPanel && <FilterPanel {...props} form={form} onForm={setForm} kept={kept} onKept={setKept} />}
    </ToolPanel>
  )
}

/** Combines two filters with `&&`. */
const bothOf = (text: string, given: string): string => (text === '' ? given : [text, given].map(asPart).join(' && '))

const asPart = (text: string): string => (text.includes('||') ? `(${text})` : text)

const columnFilter = lazyModule(() => import('./column-filter.tsx'))

export function LazyColumnFilter(props: ColumnFilterProps) {
  const { ColumnFilter } = useLazyModule(columnFilter, true) ?? {}
  return ColumnFilter ? <ColumnFilter {...props} /> : null
}
