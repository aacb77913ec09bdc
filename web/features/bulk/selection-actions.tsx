import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { isNothingSelected } from '#web/ui/grid/selection/selection.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import type { BulkBarProps } from './bulk-bar.tsx'

const bulkBar = lazyModule(() => import('./bulk-bar.tsx'))

export function SelectionActions(props: BulkBarProps) {
  const { selection, total } = props
  const isNone = isNothingSelected(selection, total.is === 'exact' ? total.count : undefined)
  const { BulkBar } = useLazyModule(bulkBar, !isNone) ?? {}
  const cleared = useCleared(props, isNone)
  const keyboard = useKeyboardBack(isNone)
  return (
    <>
      <div role="status" className="visually-hidden">
        {cleared}
      </div>
      {!isNone && BulkBar && (
        <div {...keyboard}>
          <BulkBar {...props} />
        </div>
      )}
    </>
  )
}

/** Returns focus to the list when the selection bar disappears. */
function useKeyboardBack(isNone: boolean) {
  const isHere = useRef(false)
  useEffect(() => {
    if (!isNone || !isHere.current) return
    isHere.current = false
    // Does nothing if the user has clicked elsewhere.
    if (document.activeElement === document.body) {
      document.querySelector<HTMLElement>('.records-grid [data-column][tabindex="0"]')?.focus({ preventScroll: true })
    }
  }, [isNone])
  return {
    onFocus: () => {
      isHere.current = true
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // When the focused element is removed, it loses focus without a related target.
      if (relatedTarget !== null) isHere.current = false
    },
  }
}

/** Announces that a query selection was cleared because the filter or search changed. */
function useCleared({ listing: { filter, search } }: BulkBarProps, isNone: boolean): string {
  const list = `${filter}\n${search}`
  const before = useRef({ list, isNone })
  const [message, setMessage] = useState('')
  useEffect(() => {
    const { list: listBefore, isNone: wasNone } = before.current
    before.current = { list, isNone }
    if (list !== listBefore)
      setMessage(wasNone || !isNone ? '' : t('The filter changed, so the selection was cleared.'))
    else if (!isNone) setMessage('')
  }, [list, isNone])
  return message
}
