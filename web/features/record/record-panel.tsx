import { ActionIcon, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { deletedRecords } from '#web/data/queries/record-queries.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { useFollow } from '#web/shared/navigation/app-link.tsx'
import { ResizeHandle } from '#web/ui/controls/resize-handle.tsx'
import { IconArrowsDiagonal, IconX } from '#web/ui/icons/later.ts'
import { t } from '#web/i18n/t.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { RecordView } from '#web/features/record/record-view.tsx'
import type { ListPosition } from './record-header.tsx'
import { usePanelWidth } from '#web/features/record/panel-width.tsx'
import './record-panel.css'

type RecordPanelProps = {
  readonly collection: TypedCollection
  readonly recordId: string
  readonly position: ListPosition | undefined
  readonly at: string | undefined
  readonly href: string
  /** Whether the panel covers the list, because there isn't enough room next to it. */
  readonly isSheet: boolean
  readonly onGo: (recordId: string, ordinal: number) => void
  readonly onOpen: (recordId: string) => void
  readonly onClose: () => void
}

export function RecordPanel({
  collection,
  recordId,
  position,
  at,
  href,
  isSheet,
  onGo,
  onOpen,
  onClose,
}: RecordPanelProps) {
  const panel = useRef<HTMLElement>(null)
  const id = useId()
  const width = usePanelWidth(panel)
  useLeaveWithRecord(recordId, onClose)
  useEffect(() => {
    // In an untitled record, the title input already has focus.
    if (panel.current?.contains(document.activeElement) === true) return
    panel.current?.querySelector<HTMLElement>('.record-view')?.focus({ preventScroll: true })
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOwn(panel.current, event.target)) return
    event.preventDefault()
    onClose()
  }
  return (
    <section
      ref={panel}
      id={id}
      className="record-panel"
      data-sheet={isSheet || undefined}
      aria-label={t('Record in {label}', { label: collection.label })}
      style={isSheet ? undefined : { width: width.widthPx }}
      onKeyDown={onKeyDown}
    >
      {!isSheet && (
        <ResizeHandle {...width} label={t('Side panel width')} className="panel-grip" side="start" controls={id} />
      )}
      <div className="record-panel-scroll">
        <RecordView
          collection={collection}
          recordId={recordId}
          position={position}
          at={at}
          list={listEdits(collection.id)}
          onGo={onGo}
          onOpen={onOpen}
          onLeave={onClose}
          leaveLabel={t('Close')}
          actions={<OpenInFull href={href} />}
          close={
            <Tooltip label={t('Close (Esc)')}>
              <ActionIcon aria-label={t('Close record')} aria-keyshortcuts="Escape" onClick={onClose}>
                <IconX size={18} stroke={1.5} />
              </ActionIcon>
            </Tooltip>
          }
        />
      </div>
    </section>
  )
}

function OpenInFull({ href }: { readonly href: string }) {
  const follow = useFollow()
  return (
    <Tooltip label={t('Open full page')}>
      <ActionIcon component="a" href={href} aria-label={t('Open full page')} onClick={follow}>
        <IconArrowsDiagonal size={18} stroke={1.5} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Expanded popups and dropdowns handle Escape first. */
function isOwn(panel: HTMLElement | null, target: EventTarget): boolean {
  return (
    target instanceof Element && panel?.contains(target) === true && target.closest('[aria-expanded="true"]') === null
  )
}

/** Closes the panel if its record is deleted in the list. */
function useLeaveWithRecord(recordId: string, onClose: () => void): void {
  const close = useRef(onClose)
  useLayoutEffect(() => {
    close.current = onClose
  })
  useEffect(() => deletedRecords.subscribe((ids) => ids.has(recordId) && close.current()), [recordId])
}
