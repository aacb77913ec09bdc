import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import type { GridColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { GridProps, GridTexts } from '#web/ui/grid/grid-props.ts'

/** Maximum time in ms between the clicks of a double-click. A single click sorts only after this time. */
const DOUBLE_CLICK_MS = 250

const selectText = (input: HTMLInputElement | null): void => input?.select()

/** Renames a column in its header after a double-click: Enter and blur save, Escape cancels. */
export function useRename<Row>(column: GridColumn<Row>, onRename: GridProps<Row>['onRenameColumn'], texts: GridTexts) {
  const [isOpen, setOpen] = useState(false)
  const [saving, setSaving] = useState<string>()
  const pendingClick = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (!onRename || column.isRenamable !== true) return { name: column.header }

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const { target, detail, shiftKey } = event
    const isOnName = target instanceof Element && !target.closest('button:not([data-sort]), .grid-resize, input')
    // Keyboard clicks, and the delayed single click dispatched below, have a click count of 0.
    if (!isOnName || detail === 0 || shiftKey) return
    event.stopPropagation()
    clearTimeout(pendingClick.current)
    const isSecond = pendingClick.current !== undefined
    const sort = () => {
      pendingClick.current = undefined
      target.closest('button')?.click()
    }
    pendingClick.current = isSecond ? undefined : setTimeout(sort, DOUBLE_CLICK_MS)
    if (isSecond) setOpen(true)
  }
  const save = (typed: string) => {
    setOpen(false)
    const name = typed.trim()
    if (name === '' || name === column.header) return
    setSaving(name)
    void onRename(column.id, name).finally(() => setSaving(undefined))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isEnd = event.key === 'Enter' || event.key === 'Escape'
    if (!isEnd || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    const input = event.currentTarget
    if (event.key === 'Escape') input.value = column.header
    // Moving focus away saves the name.
    input.parentElement?.focus()
  }
  const input = isOpen && (
    <input
      ref={selectText}
      className="grid-rename"
      aria-label={texts.renameColumn(column.header)}
      defaultValue={column.header}
      onBlur={({ currentTarget }) => save(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
  return { name: saving ?? column.header, onClick, input }
}
