import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { isNothingSelected } from '#web/ui/grid/selection/selection.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import type { BulkBarProps } from './bulk-bar.tsx'

const bulkBar = lazyModule(() => import('./bulk-bar.tsx'))

/** What is selected and what can be done with it, once something is. */
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

/** The keyboard was at what is gone with the selection: it goes on in the list. */
function useKeyboardBack(isNone: boolean) {
  const isHere = useRef(false)
  useEffect(() => {
    if (!isNone || !isHere.current) return
    isHere.current = false
    // Whoever has pressed somewhere else meanwhile is there.
    if (document.activeElement === document.body) {
      document.querySelector<HTMLElement>('.records-grid [data-column][tabindex="0"]')?.focus({ preventScroll: true })
    }
  }, [isNone])
  return {
    onFocus: () => {
      isHere.current = true
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // What is taken away while it has the keyboard leaves it to nobody.
      if (relatedTarget !== null) isHere.current = false
    },
  }
}

/** In another list “all matching” would mean other records: it is cleared, which is said. */
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
